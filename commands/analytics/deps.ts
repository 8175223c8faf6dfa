/** What analytics need beside the core. */
import type { CoreDeps } from '../core/deps.ts';
import type { AnalyticsStore } from './store.ts';

export interface AnalyticsPorts {
  readonly analytics: AnalyticsStore;
  /** Whether the person has consented to analytics of what they do, by the policy that is in force. */
  readonly mayAnalyse: (accountId: string) => Promise<boolean>;
  /** The same as far as a table knows that follows the log: one question for all who are asked about together. */
  readonly seemsToConsent: (accountId: string) => Promise<boolean>;
}
export type AnalyticsDeps = CoreDeps & AnalyticsPorts;
