/** What this module holds about people outside of tables. */

import { analyticsPurpose } from '../../domain/analytics/purpose.ts';
import type { HeldElsewhere } from '../../infra/holding.ts';

export const analyticsElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'events that wait to be written, in the API',
    where: 'memory',
    why: analyticsPurpose,
    kept: { until: 'they are written, within seconds' },
    exported: 'once they are written',
    erased: 'forgotten in every process',
  },
];
