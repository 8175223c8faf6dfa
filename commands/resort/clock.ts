/** What jobs that follow the clock of the resort share. */
import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';

/** The clock is looked at this often even if nothing is to change: the time zone of the resort may be another one. */
const AT_LEAST_EVERY_MS = 15 * MINUTE_MS;

/** The first of these instants; in a while if there is none. All are RFC 3339. */
export const firstOf = (at: string, instants: readonly (string | null)[]): string => {
  const latest = addMs(at, AT_LEAST_EVERY_MS);
  return [latest, ...instants.flatMap((instant) => instant ?? [])].toSorted()[0] as string;
};
