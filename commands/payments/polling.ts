/** How often a provider is asked about something that it leaves pending: ever more rarely, and not for ever. */
const FIRST_MS = 60_000;
const RAREST_MS = 12 * 60 * 60_000;
/** Providers promise refunds within days; what takes longer needs a person. */
const PENDING_AT_MOST_MS = 14 * 24 * 60 * 60_000;

/** When to ask again, RFC 3339; undefined when it has been pending for too long. */
export const backoffOf = (since: string, now: string): string | undefined => {
  const ageMs = Date.parse(now) - Date.parse(since);
  if (ageMs >= PENDING_AT_MOST_MS) return undefined;
  const waitMs = Math.min(RAREST_MS, Math.max(FIRST_MS, ageMs / 2));
  return new Date(Date.parse(now) + waitMs).toISOString();
};
