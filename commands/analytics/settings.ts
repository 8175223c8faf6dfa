/** The environment settings of analytics. */
import { integer } from '../../infra/settings.ts';
import { MAX_RETENTION_DAYS } from './tables.ts';

export const analyticsSettings = {
  ANALYTICS_RETENTION_DAYS: integer(
    180,
    31,
    MAX_RETENTION_DAYS,
    'Days for which events of apps are kept; afterwards conversions stay as amounts, without the person.',
  ),
};
