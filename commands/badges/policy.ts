/** What people do, counted for badges. */
import { trackMetrics } from '../../domain/badges/rule.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { todayIn } from '../../domain/core/dates.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { friendship } from '../../domain/friends/friendship.ts';
import type { Score } from '../../domain/leaderboards/score.ts';
import { review } from '../../domain/reviews/review.ts';
import type { CommandContext } from '../core/handle.ts';
import { policy } from '../core/policy.ts';
import { timezoneNow } from '../platform/timezone.ts';
import { awardReached, type BadgeDeps, badgeLookBack, LOOK_BACK_AFTER_MS, revokeUnreached } from './awards.ts';
import { clearFact, recordFact } from './badgeFacts.ts';

type Of = Pick<Recorded, 'streamId' | 'revision' | 'at'>;
interface Reaction {
  readonly deps: BadgeDeps;
  readonly context: CommandContext;
}

const amounts = ({
  sessions,
  verticalM,
  distanceM,
  runs,
  days,
}: Score): Record<(typeof trackMetrics)[number], number> => ({
  sessions,
  vertical: verticalM,
  distance: distanceM,
  runs,
  days,
});

/** The day at the resort on which an event happened. */
const dayOf = async ({ at }: Of, deps: BadgeDeps): Promise<string> => todayIn(await timezoneNow(deps), at);

const countReview = async (event: Of, { deps, context }: Reaction, isHidden = false): Promise<void> => {
  const { state, revision } = await deps.aggregates.load(review, event.streamId);
  if (!('userId' in state)) return;
  const { userId: accountId } = state;
  const amount = state.status === 'published' ? 1 : 0;
  const fact = { metric: 'reviews', accountId, source: event.streamId, day: await dayOf(event, deps) } as const;
  await recordFact(deps.pool, { ...fact, amount, revision: revision ?? event.revision });
  if (isHidden && amount === 0) await revokeUnreached(deps, context, accountId, ['reviews'], 'review_hidden');
  else await awardReached(deps, context, accountId, ['reviews']);
};

/** For both of a pair. */
const countFriends = async (
  event: Of & { readonly data: { readonly by: string; readonly other: string } },
  { deps, context }: Reaction,
): Promise<void> => {
  const { state, revision } = await deps.aggregates.load(friendship, event.streamId);
  for (const accountId of [event.data.by, event.data.other]) {
    const amount = state.relations[accountId] === 'friends' ? 1 : 0;
    const fact = { metric: 'friends', accountId, source: event.streamId, day: await dayOf(event, deps) } as const;
    await recordFact(deps.pool, { ...fact, amount, revision: revision ?? event.revision });
    if (amount > 0) await awardReached(deps, context, accountId, ['friends']);
  }
};

/** A look back for each change: one does not disturb another that is still going on. */
const lookBack = async (
  {
    id,
    at,
    meta,
    data: { badgeId },
  }: Pick<Recorded, 'id' | 'at' | 'meta'> & { readonly data: { readonly badgeId: string } },
  { deps }: Reaction,
): Promise<void> =>
  badgeLookBack.schedule(deps.jobs, meta, {
    id,
    dueAt: addMs(at, LOOK_BACK_AFTER_MS),
    data: { badgeId, after: null },
  });

export const badgePolicy = policy<BadgeDeps>('badges', {
  SkiDayCounted: async ({ revision, data: { accountId, day, total, cause } }, { deps, context }) => {
    const of = { accountId, source: day, day, revision };
    const counted = amounts(total);
    await Promise.all(trackMetrics.map((metric) => recordFact(deps.pool, { ...of, metric, amount: counted[metric] })));
    if (cause === 'disqualified') await revokeUnreached(deps, context, accountId, trackMetrics, 'track_disqualified');
    else await awardReached(deps, context, accountId, trackMetrics);
  },
  // A day counts once, however many passes of a family are used on it.
  PassScanned: async ({ revision, data: { userId: accountId, day, startsDay } }, { deps, context }) => {
    if (!startsDay) return;
    await recordFact(deps.pool, { metric: 'passes', accountId, source: day, day, amount: 1, revision });
    await awardReached(deps, context, accountId, ['passes']);
  },
  BookingCompleted: async (event, { deps, context }) => {
    const { state } = await deps.aggregates.load(booking, event.streamId);
    if (state.status === 'none') return;
    const { userId: accountId } = state;
    const fact = { metric: 'bookings', accountId, source: event.streamId, day: await dayOf(event, deps) } as const;
    await recordFact(deps.pool, { ...fact, amount: 1, revision: event.revision });
    await awardReached(deps, context, accountId, ['bookings']);
  },
  ReviewWritten: (event, reaction) => countReview(event, reaction),
  ReviewRestored: (event, reaction) => countReview(event, reaction),
  ReviewHidden: (event, reaction) => countReview(event, reaction, true),
  ReviewDeleted: ({ streamId: source, revision }, { deps }) =>
    clearFact(deps.pool, { metric: 'reviews', source, revision }),
  FriendAccepted: countFriends,
  FriendRemoved: countFriends,
  PersonBlocked: countFriends,
  BadgeDefined: lookBack,
  BadgeChanged: lookBack,
});
