/** What recommendations need beside the core. */
import type { ReasonPhrasing } from './phrasing.ts';

export interface RecommendationPorts {
  readonly reasonPhrasing: ReasonPhrasing;
  /** Whether what the person did may be used for recommendations, by the policy that is in force. */
  readonly mayRecommend: (accountId: string) => Promise<boolean>;
}
