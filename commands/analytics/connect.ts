/** The ports of analytics. */
import { gather } from '../../infra/gather.ts';
import { seemToConsent } from '../consents/audience.ts';
import { hasConsent } from '../consents/consents.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { AnalyticsPorts } from './deps.ts';
import { createAnalyticsStore } from './postgres.ts';

/** A policy handles fewer events together. */
const PEOPLE_AT_ONCE = 1_000;

export const connectAnalytics = (_: object, core: CoreDeps): AnalyticsPorts => ({
  analytics: createAnalyticsStore(core.pool, core.patientPool),
  mayAnalyse: (accountId) => hasConsent(core, accountId, 'analytics'),
  seemsToConsent: gather((people: readonly string[]) => seemToConsent(core, 'analytics', people), PEOPLE_AT_ONCE),
});
