/** How long something that waits for its payment is kept. */
import { instantOf } from '../../domain/core/instants.ts';
import type { PaymentSettings } from './deps.ts';

/**
 * The new end of what is kept for a payment, such as places or a price: its usual length from now, but not later than a
 * payment that started first may last. Otherwise an unfinished payment could keep it for ever.
 * @param keptFrom when it would have ended without any payment; null before the first one
 * @returns null: its time is over
 */
export const keptUntil = (
  keptFrom: string | null,
  at: string,
  { holdTtlMs, paymentTtlMs }: Pick<PaymentSettings, 'holdTtlMs' | 'paymentTtlMs'>,
): string | null => {
  const most = keptFrom === null ? Number.POSITIVE_INFINITY : Date.parse(keptFrom) + paymentTtlMs;
  const until = Math.min(Date.parse(at) + holdTtlMs, most);
  return until > Date.parse(at) ? instantOf(until) : null;
};
