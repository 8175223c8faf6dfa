/** What the members of a chat learn from a batch in which their access to its channel ended. */
import { expect, it } from 'vitest';
import { p2pThreadId } from '../../commands/chat/threads.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { participants } from '../../projections/chat/participants.ts';
import { applyAtOnce } from '../../projections/engine/applyEvents.ts';
import type { Statements } from '../../projections/engine/statementsInTurn.ts';
import { changesOf } from '../../projections/engine/tellings.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { emptyDb, happened } from '../kit/projected.ts';

const [ANNA, BORIS] = [id(1), id(2)];
const AT = '2027-01-01T10:00:00.000Z';
const THREAD = p2pThreadId(ANNA, BORIS);
const read = (upToSeq: number) =>
  happened(
    'threadMember',
    id(40),
    { type: 'ThreadRead', data: { threadId: THREAD, accountId: ANNA, upToSeq } } as const,
    AT,
  );
const pair = (type: 'PersonBlocked' | 'PersonUnblocked') =>
  happened('friendship', id(41), { type, data: { by: ANNA, other: BORIS } }, AT);
const stored = [ANNA, BORIS].map((account_id) => ({
  ...{ thread_id: THREAD, account_id, role: 'member', joined_at: AT, joined_seq: 0, last_read_seq: 1 },
  ...{ thread_type: 'p2p', is_member: true, blocks: 0 },
}));
/** A connection to a database that has the two rows. */
const db = { query: async () => ({ rows: stored }) } as unknown as Statements;

const toldOf = async (events: readonly Recorded[]) => {
  const target = { model: participants, table: 'participants', publishes: false };
  const moves = await applyAtOnce(db, target, { events, erased: new Map() }, new Map());
  const changes = await changesOf(emptyDb, participants, moves);
  return changes
    .filter(({ channel }) => channel === `chat_${THREAD}`)
    .map(({ data, endsFor, startsFor }) => {
      const { account_id, last_read_seq } = JSON.parse(data);
      return { account_id, last_read_seq, endsFor, startsFor };
    });
};
const nobody = { endsFor: null, startsFor: null };

it('a block tells how far a person had read before it, whatever they read afterwards', async () => {
  expect(await toldOf([read(2), pair('PersonBlocked'), read(3)])).toEqual([
    { account_id: BORIS, last_read_seq: 1, endsFor: BORIS, startsFor: null },
    { account_id: ANNA, last_read_seq: 2, endsFor: ANNA, startsFor: null },
    { account_id: ANNA, last_read_seq: 3, ...nobody },
  ]);
});

it('access that ends and begins again ends all the same', async () => {
  expect(await toldOf([pair('PersonBlocked'), read(3), pair('PersonUnblocked')])).toEqual([
    { account_id: ANNA, last_read_seq: 1, endsFor: ANNA, startsFor: null },
    { account_id: ANNA, last_read_seq: 3, endsFor: null, startsFor: ANNA },
    { account_id: BORIS, last_read_seq: 1, endsFor: BORIS, startsFor: null },
    { account_id: BORIS, last_read_seq: 1, endsFor: null, startsFor: BORIS },
  ]);
});

it('one event that ends it is told once', async () => {
  const told = await toldOf([pair('PersonBlocked'), pair('PersonBlocked'), pair('PersonUnblocked')]);
  expect(told.map(({ endsFor }) => endsFor)).toEqual([ANNA, null, BORIS, null]);
  expect(await toldOf([read(2), pair('PersonBlocked')])).toHaveLength(2);
});
