/** The environment settings of tracking. */
import { integer, text } from '../../infra/settings.ts';
import { MAX_RETENTION_DAYS } from './points.ts';

export const trackingSettings = {
  RESORT_SEASON_BEGINS: text('10-01', {
    pattern: '^(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$',
    example: '10-01',
    description: 'First day of a season, as `MM-DD`.',
  }),
  TRACK_ABANDONED_HOURS: integer(12, 1, 48, 'Hours without points after which an open tracking session is finished.'),
  TRACK_RETENTION_DAYS: integer(
    30,
    14,
    MAX_RETENTION_DAYS,
    'Days for which the points of tracking sessions are kept at least; they are deleted by weeks. Summaries stay.',
  ),
};
