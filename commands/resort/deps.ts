/** What the commands of the resort need. */
import type { CoreDeps } from '../core/deps.ts';
import type { PictureSource } from './pictureSource.ts';
import type { WeatherSource } from './weatherSource.ts';

export interface ResortPorts {
  /** null: no weather is asked for. */
  readonly weather: WeatherSource | null;
  /** Of webcams. */
  readonly pictures: PictureSource;
  readonly settings: ResortSettings;
}

interface ResortSettings {
  /** Where gates stand: where the queue begins, or where people board, behind it. */
  readonly liftGatesAt: (typeof gatePlaces)[number];
}
export const gatePlaces = ['queue', 'boarding'] as const;
export type ResortDeps = CoreDeps & ResortPorts;
