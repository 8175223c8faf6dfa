import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, msBetween } from '../../domain/core/instants.ts';

/** How often a provider is asked about something that it leaves pending: ever more rarely, and not for ever. */
const FIRST_MS = MINUTE_MS;
const RAREST_MS = 12 * HOUR_MS;
/** Providers promise refunds within days; what takes longer needs a person. */
const PENDING_AT_MOST_MS = 14 * DAY_MS;

/** When to ask again, RFC 3339; undefined when it has been pending for too long. */
export const backoffOf = (since: string, now: string): string | undefined => {
  const ageMs = msBetween(since, now);
  if (ageMs >= PENDING_AT_MOST_MS) return undefined;
  const waitMs = Math.min(RAREST_MS, Math.max(FIRST_MS, ageMs / 2));
  return addMs(now, waitMs);
};
