/** What the commands of the resort need. */
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { PictureSource } from './pictureSource.ts';
import type { resortSettings } from './settings.ts';
import type { WeatherSource } from './weatherSource.ts';

export interface ResortPorts {
  /** null: no weather is asked for. */
  readonly weather: WeatherSource | null;
  /** Of webcams. */
  readonly pictures: PictureSource;
}

export type ResortDeps = CoreDeps & ResortPorts & WithSettings<typeof resortSettings>;
