/** The environment settings of analytics, and its ports. */

import { gather } from '../../infra/gather.ts';
import { integer } from '../../infra/settings.ts';
import { seemToConsent } from '../consents/audience.ts';
import { hasConsent } from '../consents/consents.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { AnalyticsPorts } from './deps.ts';
import { createAnalyticsStore } from './postgres.ts';
import { MAX_RETENTION_DAYS } from './tables.ts';

export const analyticsSettings = {
  ANALYTICS_RETENTION_DAYS: integer(
    180,
    31,
    MAX_RETENTION_DAYS,
    'Days for which events of apps are kept; afterwards conversions stay as amounts, without the person.',
  ),
};

/** A policy handles fewer events together. */
const PEOPLE_AT_ONCE = 1_000;

export const connectAnalytics = (config: ModuleConfig<typeof analyticsSettings>, core: CoreDeps): AnalyticsPorts => ({
  analytics: createAnalyticsStore(core.pool, core.patientPool),
  mayAnalyse: (accountId) => hasConsent(core, accountId, 'analytics'),
  seemsToConsent: gather((people: readonly string[]) => seemToConsent(core, 'analytics', people), PEOPLE_AT_ONCE),
  settings: { analyticsRetentionDays: config.ANALYTICS_RETENTION_DAYS },
});
