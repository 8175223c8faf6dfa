/** The ports of the resort. */
import type { CoreDeps } from '../core/deps.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { TrackingPorts } from '../tracking/deps.ts';
import type { ResortPorts } from './deps.ts';
import { resortMapOf } from './map.ts';
import { createPictureSource } from './pictureSource.ts';
import type { resortSettings } from './settings.ts';
import { openMeteo } from './weatherSource.ts';

export const connectResort = (
  { WEATHER_URL, WEBCAM_HOSTS, SANDBOX_URL, NODE_ENV }: ModuleConfig<typeof resortSettings>,
  core: Pick<CoreDeps, 'aggregates' | 'pool'>,
): ResortPorts & Pick<TrackingPorts, 'resortMap'> => {
  const url = WEATHER_URL ?? (NODE_ENV === 'production' ? undefined : `${SANDBOX_URL}/open-meteo`);
  return {
    weather: url === undefined ? null : openMeteo(url.replace(/\/$/, '')),
    pictures: createPictureSource(WEBCAM_HOSTS),
    resortMap: resortMapOf(core),
  };
};
