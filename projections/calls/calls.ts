/** Calls, as the two people see them. */

import { type Static, Type } from '@sinclair/typebox';
import {
  type CallEvent,
  CallKind,
  type CallStatus,
  callStatuses,
  endReasons,
  RING_MS,
} from '../../domain/calls/call.ts';
import { callsPurpose } from '../../domain/calls/index.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, msBetween } from '../../domain/core/instants.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { accounts } from '../accounts/accounts.ts';
import { userChannel } from '../accounts/channels.ts';
import { DELETED_USER, shownNamesOf } from '../accounts/shortNames.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { formsOf } from '../engine/replies.ts';
import { wireFormWith } from '../engine/wire.ts';

const Row = Type.Object({
  id: Uuid,
  caller_id: Uuid,
  callee_id: Uuid,
  kind: CallKind,
  status: OneOf(callStatuses),
  /** Whether the callee does not learn of it: one has blocked the other. */
  is_hidden: Type.Boolean(),
  /** Only of a call that was answered. */
  end_reason: Nullable(OneOf(endReasons)),
  created_at: Instant,
  /** When it is missed if nobody answers. */
  rings_until: Instant,
  accepted_at: Nullable(Instant),
  ended_at: Nullable(Instant),
});
export type CallRow = Static<typeof Row>;

const { is_hidden: _, ...shown } = Row.properties;

const CalledName = Type.String({
  description: `First and last name of a call that was answered, otherwise \`Anna O.\`; \`${DELETED_USER}\` once the account is erased.`,
});

/** A call in replies and messages. */
export const CallWire = Type.Object(
  {
    ...shown,
    caller_name: CalledName,
    callee_name: CalledName,
    /** Whole seconds between the answer and the end. */
    duration_s: Nullable(Type.Integer({ minimum: 0 })),
  },
  { $id: 'Call' },
);
export type CallWire = Static<typeof CallWire>;

const durationOf = ({ accepted_at, ended_at }: CallRow): number | null =>
  accepted_at === null || ended_at === null ? null : Math.max(0, Math.round(msBetween(accepted_at, ended_at) / 1_000));

type Of<T extends CallEvent['type']> = Recorded<Extract<CallEvent, { type: T }>>;

/** The row of a call that has just begun. */
export const begun = (
  id: string,
  { callerId, calleeId, kind }: Of<'CallStarted'>['data'],
  at: string,
  status: 'ringing' | 'busy',
): CallRow => ({
  id,
  caller_id: callerId,
  callee_id: calleeId,
  kind,
  status,
  is_hidden: false,
  end_reason: null,
  created_at: at,
  rings_until: addMs(at, RING_MS),
  accepted_at: null,
  ended_at: status === 'busy' ? at : null,
});

const over =
  (status: CallStatus) =>
  (row: CallRow | undefined, { at }: Pick<Recorded, 'at'>): CallRow => ({ ...existing(row), status, ended_at: at });

export const calls = readModel('calls', {
  version: 1,
  row: Row,
  key: 'id',
  personalData: {
    whose: null,
    why: callsPurpose,
    retention: 'account',
    exported: 'as `calls`, without those that never reached the person',
  },
  on: {
    CallStarted: (_row, { streamId, data, at }) => begun(streamId, data, at, 'ringing'),
    CallFoundBusy: (_row, { streamId, data, at }) => ({
      ...begun(streamId, data, at, 'busy'),
      is_hidden: data.isHidden,
    }),
    CallAccepted: (row, { at }) => ({ ...existing(row), status: 'accepted' as const, accepted_at: at }),
    CallRejected: over('rejected'),
    CallMissed: over('missed'),
    CallEnded: (row, event) => ({
      ...over(event.data.reason === 'failed' ? 'failed' : 'ended')(row, event),
      end_reason: event.data.reason,
    }),
  },
  indexes: ['caller_id, created_at desc, id', 'callee_id, created_at desc, id'],
  wire: wireFormWith({
    schema: CallWire,
    make: (row: CallRow) => ({ ...row, duration_s: durationOf(row) }),
    overlay: {
      fields: ['caller_name', 'callee_name'],
      needs: ['caller_id', 'callee_id', 'accepted_at'],
      read: async (db, rows) => {
        const nameOf = await shownNamesOf(
          db,
          accounts,
          rows.flatMap(({ caller_id, callee_id }) => [caller_id, callee_id]),
        );
        return ({ caller_id, callee_id, accepted_at }) => {
          const form = accepted_at === null ? 'short' : 'full';
          return { caller_name: nameOf(caller_id)[form], callee_name: nameOf(callee_id)[form] };
        };
      },
    },
  }),
  publishTo: [
    {
      channel: userChannel,
      idsOf: ({ caller_id, callee_id, is_hidden }) => (is_hidden ? [caller_id] : [caller_id, callee_id]),
      audience: 'guest',
    },
  ],
});

const ofPerson = (db: ReadDb, person: string) =>
  tables(db, calls)
    .selectFrom('calls')
    .selectAll()
    .where((by) =>
      by.or([by('caller_id', '=', person), by.and([by('callee_id', '=', person), by('is_hidden', '=', false)])]),
    );

/** A call of this person; undefined for a call of others. */
export const callOf = (db: ReadDb, person: string, id: string): Promise<CallRow | undefined> =>
  ofPerson(db, person).where('id', '=', id).executeTakeFirst();

/** Calls as replies. */
export const showCalls = async (db: ReadDb, rows: readonly CallRow[]): Promise<JsonText<CallWire>[]> => {
  const formFor = await formsOf(db, calls, rows, ['guest']);
  return rows.map((row) => formFor(row, 'guest') as JsonText<CallWire>);
};
export const showCall = async (db: ReadDb, row: CallRow): Promise<JsonText<CallWire>> =>
  (await showCalls(db, [row]))[0] as JsonText<CallWire>;

/** Newest first. */
export const listCalls = (
  db: ReadDb,
  person: string,
  { status, ...paging }: Paging & { readonly status?: CallStatus | undefined },
): Promise<Page<CallRow>> => {
  const matching = ofPerson(db, person).$if(status !== undefined, (q) => q.where('status', '=', status as CallStatus));
  return pageOf(db, matching.orderBy('created_at', 'desc').orderBy('id'), paging);
};
