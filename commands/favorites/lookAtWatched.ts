/**
 * Looks at a watched thing when something has changed there, and tells its watchers what is news to them. A thing is looked
 * at once in some seconds, however much changes. What a person knows is a row, which is changed together with setting what
 * they are told: so they are told once, also when two workers look at the same time.
 */
import { instantOf } from '../../domain/core/instants.ts';
import { inTransaction } from '../../infra/postgres.ts';
import type { CoreDeps } from '../core/deps.ts';
import { JobBatch } from '../core/jobChanges.ts';
import { defineJob } from '../core/jobs.ts';
import { setCue } from '../core/notification.ts';
import { BECAME_FREE, PRICE_DROPPED } from './notifications.ts';
import { type Offer, offerFor } from './offers.ts';
import { learn, type WatchRow, watchedBy, watchesOf, watchesOfOne } from './watches.ts';

const NOTHING: Offer = { priceMinor: null, currency: '', isFree: false, title: null, ownerId: null };
/** How often a thing is looked at, at most. */
const LOOK_EVERY_MS = 5_000;
/** Watchers that are told in one transaction. */
const AT_ONCE = 200;

type Deps = Pick<CoreDeps, 'aggregates' | 'pool'>;
interface Cause {
  readonly correlationId: string;
  /** RFC 3339. */
  readonly at: string;
}

/** What is news to a watcher, and what they know then. */
export const newsFor = (
  { reasons, price_minor: known, is_free: wasFree, told }: WatchRow,
  { priceMinor, isFree }: Pick<Offer, 'priceMinor' | 'isFree'>,
): { readonly news: readonly string[]; readonly known: Pick<WatchRow, 'price_minor' | 'is_free' | 'told'> } => {
  const isCheaper = priceMinor !== null && known !== null && priceMinor < known;
  const news = [
    ...(isCheaper && reasons.includes('price_drop') ? [PRICE_DROPPED] : []),
    ...(isFree && wasFree === false && reasons.includes('free_dates') ? [BECAME_FREE] : []),
  ];
  // While nothing is for sale, the last price stays what the next one is compared with.
  return { news, known: { price_minor: priceMinor ?? known, is_free: isFree, told: told + (news.length > 0 ? 1 : 0) } };
};

const tell = async ({ pool }: Deps, { correlationId, at }: Cause, row: WatchRow, offer: Offer): Promise<void> => {
  const { news, known } = newsFor(row, offer);
  if (known.price_minor === row.price_minor && known.is_free === row.is_free) return;
  await inTransaction(pool, async (client) => {
    if (!(await learn(client, row, known))) return;
    const cues = new JobBatch();
    for (const name of news)
      await setCue(
        cues,
        { correlationId },
        {
          name,
          key: `${row.person_id} ${row.target_id} ${known.told}`,
          about: {
            ...{ person: row.person_id, kind: row.kind, id: row.target_id },
            ...{ price: String(offer.priceMinor ?? ''), currency: offer.currency },
          },
          eventAt: at,
          dueAt: at,
        },
      );
    await cues.write(client);
  });
};

const stayOf = ({ check_in: checkIn, check_out: checkOut, guests }: WatchRow) =>
  checkIn === null || checkOut === null ? null : { checkIn, checkOut, guests: guests ?? 1 };

const lookFor = async (deps: Deps, cause: Cause, rows: readonly WatchRow[]): Promise<void> => {
  const [first] = rows;
  const offerOf = first ? await offerFor(deps, first.kind, first.target_id, cause.at) : null;
  const known = new Map<string, Offer>();
  for (const row of rows) {
    const stay = stayOf(row);
    const key = JSON.stringify(stay);
    const offer = known.get(key) ?? offerOf?.(stay) ?? NOTHING;
    known.set(key, offer);
    await tell(deps, cause, row, offer);
  }
};

/** Looks at a thing for one who watches it, whoever else does. Safe to repeat. */
export const lookForOne = async (deps: Deps, cause: Cause, targetId: string, person: string): Promise<void> =>
  lookFor(deps, cause, await watchesOfOne(deps.pool, targetId, person));

/** Looks at a thing for all who watch it. Safe to repeat. */
export const lookAt = async (deps: Deps, cause: Cause, targetId: string): Promise<void> => {
  for (let after: string | null = null, more = true; more; ) {
    const rows: WatchRow[] = await watchesOf(deps.pool, targetId, after, AT_ONCE);
    await lookFor(deps, cause, rows);
    after = rows.at(-1)?.person_id ?? null;
    more = rows.length === AT_ONCE;
  }
};

/** The job's id is the thing's, and the time at which it is looked at. */
export const favoriteLook = defineJob<{ readonly targetId: string }>(
  'favorite_look',
  async ({ data }, { deps, context }) => {
    await lookAt(deps, context, data.targetId);
    return undefined;
  },
);

/** Has what is watched of a thing, or of the hotel of a room, looked at soon. */
export const lookSoon = async (
  { pool, jobs, now }: Pick<CoreDeps, 'pool' | 'jobs' | 'now'>,
  cause: { readonly correlationId: string },
  id: string,
): Promise<void> => {
  const dueMs = (Math.floor(Date.parse(now()) / LOOK_EVERY_MS) + 1) * LOOK_EVERY_MS;
  const dueAt = instantOf(dueMs);
  // The time is part of the id, so that a look that runs already takes no look away from what changes meanwhile.
  for (const targetId of await watchedBy(pool, id))
    await favoriteLook.scheduleOnce(jobs, cause, { id: `${targetId} ${dueAt}`, dueAt, data: { targetId } });
};
