/** What the erasure of a person does to analytics: conversions stay as amounts. */
import type { ErasureStep } from '../core/erasure.ts';
import type { AnalyticsDeps } from './deps.ts';

export const forgetPerson: ErasureStep<Pick<AnalyticsDeps, 'analytics'>> = ({ analytics }, _, person) =>
  analytics.forget(person);
