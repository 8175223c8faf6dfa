/** The line of what apps report: batches of events, as fast as they are taken and at a steady rate. */
import { answerConsent } from '../../../commands/consents/consents.ts';
import { concurrentEach } from '../../../infra/concurrentEach.ts';
import { contextAs } from '../context.ts';
import { bearer, counting, withLoad } from '../http.ts';
import type { Goal, Line } from '../line.ts';
import type { Request } from '../load.ts';
import type { Guest, Resort } from '../resort.ts';
import { type Contender, compare } from '../rounds.ts';

const BATCH = 500;
const LEAST_A_SECOND = 20_000;
/** Stands for the number of the request in the ids of its events: none is sent twice. */
const MARK = 'ffffffff';
const SENDERS = 16;

const hex = (n: number): string => n.toString(16).padStart(12, '0');

/** A batch as an app sends it: about 250 bytes an event. */
const batchOf = ({ token }: Guest, n: number): Request => {
  const sessionId = `00000000-0000-4000-8000-${hex(n)}`;
  const now = Date.now();
  const events = Array.from({ length: BATCH }, (_, k) => ({
    event_id: `${MARK}-0000-4000-8000-${hex(n * BATCH + k)}`,
    kind: k % 2 === 0 ? 'screen_view' : 'click',
    name: ['home', 'hotel_card', 'offer', 'search'][k % 4],
    occurred_at: new Date(now - (BATCH - k) * 10).toISOString(),
    session_id: sessionId,
    properties: { screen: 'hotel', position: k, list: 'search results', filter: 'breakfast' },
  }));
  const body = JSON.stringify({ events });
  return { line: 'POST /api/v1/events/batch', headers: bearer(token), body };
};

/** To the first version of the policy: a benchmark publishes no other. */
const consentOfAll = ({ wiring, guests }: Resort): Promise<void> => {
  const answer = { purpose: 'analytics', policyVersion: '1', granted: true, userAgent: null } as const;
  return concurrentEach(guests.slice(0, SENDERS), 8, ({ id }) =>
    answerConsent(wiring, contextAs('tourist', id), id, answer),
  );
};

export const appEvents: Line = {
  name: 'app events',
  work: '`POST /events/batch` of 500 events, as fast as they are taken, and 20,000 events a second whatever they take',
  peer: null,
  goal: '≥ 20,000 events/s; at that rate 202 before 50 ms at p99',
  run: async ({ size: { plan }, resort }) => {
    const running = await resort();
    const { wiring, system, guests } = running;
    await consentOfAll(running);
    await wiring.pool.query('truncate ops.analytics_events, ops.analytics_visits');
    const requests = guests.slice(0, SENDERS).map(batchOf);
    const { api: url, processes, counts } = system;
    const load = { url, requests, mark: MARK, status: 202 };
    const steady = LEAST_A_SECOND / BATCH;
    // Ids of the one must not be those of the other.
    const others = guests.slice(0, SENDERS).map((guest, n) => batchOf(guest, SENDERS + n));
    const served = [
      { name: 'as fast as taken', processes, counts, load: { ...load, connections: 4 } },
      {
        name: '20,000 a second',
        processes,
        counts,
        load: { ...load, requests: others, connections: 16, perSecond: steady },
      },
    ];
    const results = await withLoad(served, (contenders) =>
      compare(
        contenders.map((contender) => counting(BATCH, contender as Contender)),
        plan,
      ),
    );
    const [fast, at] = results;
    const { rows } = await wiring.pool.query<{ count: number }>('select count(*) from ops.analytics_events');
    if (!rows[0]?.count) throw new Error('no event was stored');
    const goals: Goal[] = [
      { what: 'events/s', value: fast?.rate.median ?? Number.NaN, limit: LEAST_A_SECOND, is: 'at least' },
      { what: 'ms p99 at 20,000/s', value: at?.p99 ?? Number.NaN, limit: 50, is: 'at most' },
    ];
    return [{ name: 'app events', results, goals, note: `${rows[0].count} events were stored` }];
  },
};
