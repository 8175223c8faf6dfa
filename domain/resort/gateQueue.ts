/**
 * The queue behind the gates of a lift, from those who passed them. The gates stand where the queue begins, so that each
 * passage is an arrival; the lift takes away as many as it carries, while it runs. What is left waits.
 */
import { HOUR_MS } from '../core/instants.ts';
import type { OperatingStatus } from './operation.ts';
import { MOST_WAITING } from './queue.ts';

/** Times are in milliseconds since the epoch. */
export interface Arrivals {
  readonly at: number;
  readonly people: number;
}
/** Since when the lift has a status. */
export interface StatusSince {
  readonly at: number;
  readonly status: OperatingStatus;
}

/** On hold, people stay in the queue; whoever waits at a lift that closes goes home. */
const keepsQueue = (status: OperatingStatus): boolean => status === 'open' || status === 'hold';

/**
 * How many people wait at the time of the last arrivals; null without any.
 * @param arrivals oldest first
 * @param statuses oldest first; the lift ran before the first one
 * @param capacityPerHour people that it carries in an hour
 */
export const waitingAtGates = (
  arrivals: readonly Arrivals[],
  statuses: readonly StatusSince[],
  capacityPerHour: number,
): number | null => {
  if (arrivals.length === 0) return null;
  const perMs = capacityPerHour / HOUR_MS;
  const moments = [
    ...arrivals.map(({ at, people }) => ({ at, people, status: null })),
    ...statuses.map(({ at, status }) => ({ at, people: 0, status })),
  ].toSorted((a, b) => a.at - b.at);
  const last = arrivals.at(-1)?.at ?? 0;
  let [waiting, before, status]: [number, number, OperatingStatus] = [0, moments[0]?.at ?? 0, 'open'];
  for (const moment of moments) {
    if (moment.at > last) break;
    if (status === 'open') waiting = Math.max(0, waiting - (moment.at - before) * perMs);
    status = moment.status ?? status;
    waiting = keepsQueue(status) ? waiting + moment.people : 0;
    before = moment.at;
  }
  return Math.min(MOST_WAITING, Math.round(waiting));
};
