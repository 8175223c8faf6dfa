/** The environment settings of the resort. */
import { Type } from '@sinclair/typebox';
import { choice, HTTP_URL, list, unset } from '../../infra/settings.ts';

export const resortSettings = {
  WEATHER_URL: unset({
    pattern: HTTP_URL,
    description:
      'Weather service with the API of Open-Meteo, such as `https://api.open-meteo.com`. Unset = the sandbox invents the weather; in production none is shown.',
  }),
  LIFT_GATES_AT: choice(
    ['queue', 'boarding'],
    'queue',
    'Where the gates of lifts stand. `queue`: where it begins, so that passages tell how many wait. `boarding`: behind it, so that they do not.',
  ),
  WEBCAM_HOSTS: list(
    Type.String({ pattern: '^[a-z0-9.-]+(:[0-9]+)?$' }),
    [],
    'Hosts that pictures of webcams may be fetched from, comma-separated, with a port where it is not the usual one. Private addresses are refused.',
  ),
};
