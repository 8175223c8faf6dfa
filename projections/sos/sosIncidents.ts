/** SOS incidents, as rescuers and the people in need see them. */

import { type Static, Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { Battery, SosPosition, type SosStatus, sosStatuses } from '../../domain/sos/incident.ts';
import { sosPurpose } from '../../domain/sos/index.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { accounts } from '../accounts/accounts.ts';
import { userChannel } from '../accounts/channels.ts';
import { ONE_CHANNEL } from '../engine/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { formsOf } from '../engine/replies.ts';
import { type Audience, SeenBy, wireFormWith } from '../engine/wire.ts';
import { sosBoardChannel } from './channels.ts';

const Row = Type.Object({
  id: Uuid,
  account_id: Uuid,
  status: OneOf(sosStatuses),
  /** The newest one. */
  position: Nullable(SosPosition),
  /** The last positions, the newest last; null: none. */
  track: Nullable(Type.Array(SosPosition)),
  battery: Nullable(Battery),
  messages: Type.Array(Type.String()),
  /** How often rescuers were told because nobody had answered. */
  escalations: Type.Integer(),
  /** Who was told last. */
  notified: Type.Array(Uuid),
  /** The account that took the last step. */
  handled_by: Nullable(Type.String()),
  acknowledged_at: Nullable(Instant),
  dispatched_at: Nullable(Instant),
  ended_at: Nullable(Instant),
  requested_again_at: {
    ...Nullable(Instant),
    description: 'When the person last asked again, but for repetitions within minutes; null: never.',
  },
  created_at: Instant,
  updated_at: Instant,
});
export type SosIncidentRow = Static<typeof Row>;

/** Of the person in need; null while their account is not shown. */
const Person = Type.Object({
  first_name: Nullable(Type.String()),
  last_name: Nullable(Type.String()),
  phone: Nullable(Type.String()),
});
const { escalations, notified, handled_by, ...shown } = Row.properties;

/** An SOS incident in replies and messages. */
export const SosIncident = Type.Object(
  {
    ...shown,
    escalations: SeenBy(['admin'], escalations, 'How often rescuers were told because nobody had answered.'),
    notified: SeenBy(['admin'], notified, 'The accounts that were told last.'),
    handled_by: SeenBy(['admin'], handled_by, 'The account that took the last step.'),
    person: SeenBy(['admin'], Person, 'Who needs help.'),
  },
  { $id: 'SosIncident' },
);
export type SosIncident = Static<typeof SosIncident>;

const NOBODY: Static<typeof Person> = { first_name: null, last_name: null, phone: null };

const peopleById = async (db: ReadDb, ids: readonly string[]) => {
  const found = await tables(db, accounts)
    .selectFrom('accounts')
    .select(['id', 'first_name', 'last_name', 'phone'])
    .where(isAnyOf('id', ids))
    .execute();
  return new Map(found.map(({ id, ...person }) => [id, person]));
};

const wire = wireFormWith({
  schema: SosIncident,
  make: (row: SosIncidentRow) => row,
  overlay: {
    fields: ['person'],
    needs: ['account_id'],
    read: async (db, rows, seers) => {
      const ids = seers.includes('admin') ? rows.map(({ account_id }) => account_id) : [];
      const people = ids.length > 0 ? await peopleById(db, ids) : new Map<string, Static<typeof Person>>();
      return ({ account_id }, audience) =>
        audience === 'admin'
          ? { person: people.get(account_id) ?? NOBODY }
          : ({} as { person?: Static<typeof Person> });
    },
  },
});

const MOST_POSITIONS = 20;
const MOST_MESSAGES = 50;

/** The newest positions, in the order of their times. */
const along = (
  track: readonly SosPosition[] | null,
  positions: readonly SosPosition[] | null,
): Pick<SosIncidentRow, 'track' | 'position'> => {
  const all = [...(track ?? []), ...(positions ?? [])].sort((a, b) => (a.at < b.at ? -1 : 1)).slice(-MOST_POSITIONS);
  return { track: all.length > 0 ? all : null, position: all.at(-1) ?? null };
};

const keys = ({ data }: { readonly data: { readonly incidentId: string } }) => [{ id: data.incidentId }];

const step = (status: SosStatus) => ({
  keys,
  fold: (row: SosIncidentRow | undefined, { at, meta }: Pick<Recorded, 'at' | 'meta'>): SosIncidentRow =>
    stepped(existing(row), status, { by: meta.actor.id, at }),
});

/** The row after a step. */
export const stepped = (
  row: SosIncidentRow,
  status: SosStatus,
  { by, at }: { readonly by: string; readonly at: string },
): SosIncidentRow => {
  const isOver = status === 'resolved' || status === 'false_alarm';
  return {
    ...row,
    status,
    handled_by: by,
    acknowledged_at: row.acknowledged_at ?? (isOver ? null : at),
    dispatched_at: status === 'dispatched' ? at : row.dispatched_at,
    ended_at: isOver ? at : null,
    updated_at: at,
  };
};

export const sosIncidents = readModel('sos_incidents', {
  version: 2,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'account_id',
    texts: ['messages.*'],
    values: ['position', 'track', 'battery'],
    others: { handled_by: keptBecause.doneBy, 'notified.*': keptBecause.doneBy },
    why: sosPurpose,
    retention: 'account',
  },
  on: {
    SosRequested: {
      keys,
      fold: (_row, { streamId: account_id, at, data: { incidentId: id, position, battery, message } }) => ({
        id,
        account_id,
        status: 'new' as const,
        ...along(null, position && [position]),
        battery,
        messages: message === null ? [] : [message],
        escalations: 0,
        notified: [],
        handled_by: null,
        acknowledged_at: null,
        dispatched_at: null,
        ended_at: null,
        requested_again_at: null,
        created_at: at,
        updated_at: at,
      }),
    },
    SosReported: {
      keys,
      fold: (found, { at, data: { positions, battery, message } }) => {
        const row = existing(found);
        return {
          ...row,
          ...along(row.track, positions),
          battery: battery ?? row.battery,
          messages: message === null ? row.messages : [...row.messages, message].slice(-MOST_MESSAGES),
          updated_at: at,
        };
      },
    },
    SosRequestedAgain: {
      keys,
      fold: (row, { at }) => ({ ...existing(row), requested_again_at: at, updated_at: at }),
    },
    SosEscalated: {
      keys,
      fold: (row, { at, data: { level, notified } }) => ({
        ...existing(row),
        escalations: level,
        notified,
        updated_at: at,
      }),
    },
    SosAcknowledged: step('acknowledged'),
    SosDispatched: step('dispatched'),
    SosResolved: step('resolved'),
    SosFalseAlarmFound: step('false_alarm'),
  },
  indexes: ['created_at desc, id', 'status, created_at desc, id', 'account_id, created_at desc, id'],
  wire,
  entity: 'sos',
  publishTo: [
    { channel: userChannel, idsOf: ({ account_id }) => [account_id], audience: 'guest' },
    { channel: sosBoardChannel, idsOf: () => ONE_CHANNEL, audience: 'admin' },
  ],
});

/** Rows as this audience sees them. */
export const showIncidents = async (
  db: ReadDb,
  rows: readonly SosIncidentRow[],
  audience: Audience,
): Promise<JsonText<SosIncident>[]> => {
  const formFor = await formsOf(db, sosIncidents, rows, [audience]);
  return rows.map((row) => formFor(row, audience) as JsonText<SosIncident>);
};

export const incidentById = (db: ReadDb, id: string): Promise<SosIncidentRow | undefined> =>
  tables(db, sosIncidents).selectFrom('sos_incidents').selectAll().where('id', '=', id).executeTakeFirst();

export interface IncidentFilter {
  readonly accountId?: string;
  readonly status?: SosStatus | undefined;
  /** Whether they have not ended. */
  readonly active?: boolean | undefined;
}

/** Newest first. */
export const listIncidents = (
  db: ReadDb,
  { accountId, status, active, ...paging }: IncidentFilter & Paging,
): Promise<Page<SosIncidentRow>> => {
  const matching = tables(db, sosIncidents)
    .selectFrom('sos_incidents')
    .selectAll()
    .$if(accountId !== undefined, (q) => q.where('account_id', '=', accountId as string))
    .$if(status !== undefined, (q) => q.where('status', '=', status as SosStatus))
    .$if(active !== undefined, (q) => q.where('ended_at', active ? 'is' : 'is not', null));
  return pageOf(db, matching.orderBy('created_at', 'desc').orderBy('id'), paging);
};
