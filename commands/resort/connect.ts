/** The environment settings of the resort, and its ports. */
import { Type } from '@sinclair/typebox';
import { choice, HTTP_URL, list, unset } from '../../infra/settings.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { TrackingPorts } from '../tracking/deps.ts';
import { gatePlaces, type ResortPorts } from './deps.ts';
import { resortMapOf } from './map.ts';
import { createPictureSource } from './pictureSource.ts';
import { openMeteo } from './weatherSource.ts';

export const resortSettings = {
  WEATHER_URL: unset({
    pattern: HTTP_URL,
    description:
      'Weather service with the API of Open-Meteo, such as `https://api.open-meteo.com`. Unset = the sandbox invents the weather; in production none is shown.',
  }),
  LIFT_GATES_AT: choice(
    gatePlaces,
    'queue',
    'Where the gates of lifts stand. `queue`: where it begins, so that passages tell how many wait. `boarding`: behind it, so that they do not.',
  ),
  WEBCAM_HOSTS: list(
    Type.String({ pattern: '^[a-z0-9.-]+(:[0-9]+)?$' }),
    [],
    'Hosts that pictures of webcams may be fetched from, comma-separated, with a port where it is not the usual one. Private addresses are refused.',
  ),
};

export const connectResort = (
  { LIFT_GATES_AT, WEATHER_URL, WEBCAM_HOSTS, SANDBOX_URL, NODE_ENV }: ModuleConfig<typeof resortSettings>,
  core: Pick<CoreDeps, 'aggregates' | 'pool'>,
): ResortPorts & Pick<TrackingPorts, 'resortMap'> => {
  const url = WEATHER_URL ?? (NODE_ENV === 'production' ? undefined : `${SANDBOX_URL}/open-meteo`);
  return {
    weather: url === undefined ? null : openMeteo(url.replace(/\/$/, '')),
    pictures: createPictureSource(WEBCAM_HOSTS),
    settings: { liftGatesAt: LIFT_GATES_AT },
    resortMap: resortMapOf(core),
  };
};
