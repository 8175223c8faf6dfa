/** An index of the log: who did what, when and why. The data of the events is only in the log. */

import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import type { AuditRead } from '../../domain/audit/auditLog.ts';
import { auditPurpose } from '../../domain/audit/index.ts';
import type { Position, Recorded } from '../../domain/core/decider.ts';
import { Instant, Nullable } from '../../domain/core/schema.ts';
import { allEvents } from '../../domain/modules.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type Handlers, readModel } from '../engine/readModel.ts';

const Row = Type.Object({
  /** The position in the log as numbers, which are exact up to nine petabytes. */
  commit: Type.Integer(),
  prepare: Type.Integer(),
  event_id: Type.String({ format: 'uuid' }),
  stream: Type.String(),
  revision: Type.Integer(),
  type: Type.String(),
  at: Instant,
  actor_kind: Type.String(),
  actor_id: Type.String(),
  actor_role: Type.String(),
  correlation_id: Type.String(),
  causation_id: Type.String(),
  command_id: Type.String(),
  ip: Nullable(Type.String()),
  /** Whose data the event is about, where it says so; of a read of the log, the id that was asked for. */
  about: Nullable(Type.String()),
});

export type AuditEventRow = Static<typeof Row>;
type Key = Pick<AuditEventRow, 'commit' | 'prepare'>;

const keyOf = (position: Position): Key => ({ commit: Number(position.commit), prepare: Number(position.prepare) });

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The person of the event's declaration, or what somebody who read the log has asked for. */
const aboutOf = ({ type, streamId, data }: Recorded): string | null => {
  if (type === 'AuditRead') {
    const { stream, actor } = (data as AuditRead).query;
    return UUID.exec(stream ?? actor ?? '')?.[0] ?? null;
  }
  const person = allEvents[type]?.person;
  if (person === undefined) return null;
  return person === 'stream' ? streamId : ((data as Record<string, string | null>)[person] ?? null);
};

const every = {
  keys: ({ position }: Recorded) => [keyOf(position)],
  fold: (_: unknown, event: Recorded, { commit, prepare }: Key): AuditEventRow => {
    const { id, stream, revision, type, at, meta } = event;
    return {
      commit,
      prepare,
      event_id: id,
      stream,
      revision: Number(revision),
      type,
      at,
      actor_kind: meta.actor.kind,
      actor_id: meta.actor.id,
      actor_role: meta.actor.role,
      correlation_id: meta.correlationId,
      causation_id: meta.causationId,
      command_id: meta.commandId,
      ip: meta.ip,
      about: aboutOf(event),
    };
  },
};

export const auditEvents = readModel('audit_events', {
  version: 3,
  row: Row,
  key: ['commit', 'prepare'],
  insertOnly: true,
  /** Of a user; of everybody else only the network is known. */
  personalData: {
    whose: 'actor_id',
    texts: ['ip'],
    why: auditPurpose,
    retention: { always: 'the log itself, without the address once the account is erased' },
  },
  on: Object.fromEntries(Object.keys(allEvents).map((type) => [type, every])) as Handlers<AuditEventRow, Key>,
  indexes: ['at', 'stream, commit', 'type, commit', 'actor_id, commit', 'correlation_id, commit', 'about'],
});

export interface AuditSearch {
  /** Instants, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly type?: string;
  readonly actor?: string;
  readonly correlation?: string;
  readonly stream?: string;
  /** Continues after this position: that of the last event on the page before. */
  readonly after?: Position;
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
}

/** So far back, an event is looked for by what caused it, which has no index. */
const IS_RECENT = sql<boolean>`at > now() - interval '30 days'`;
const MOST_OF_REQUEST = 1_000;

/**
 * The events of a request and all that followed from them, oldest first. By its id, which is also the correlation id unless
 * the client has sent one: then everything with that one.
 */
export const eventsOfRequest = async (db: ReadDb, requestId: string): Promise<AuditEventRow[]> => {
  const all = () => tables(db, auditEvents).selectFrom('audit_events').selectAll().orderBy('commit').orderBy('prepare');
  const found = await all().where('correlation_id', '=', requestId).limit(MOST_OF_REQUEST).execute();
  if (found.length > 0) return found;
  const own = await tables(db, auditEvents)
    .selectFrom('audit_events')
    .select('correlation_id')
    .distinct()
    .where('causation_id', '=', requestId)
    .where(IS_RECENT)
    .execute();
  if (own.length === 0) return [];
  const correlations = own.map(({ correlation_id }) => correlation_id);
  return all().where('correlation_id', 'in', correlations).limit(MOST_OF_REQUEST).execute();
};

/** What the reading of the log leads to. */
const READS = ['AuditRead', 'ContentShown'];

/** Events that match all filters. Those about reading the log are left out unless `type` asks for them. */
export const searchEvents = (db: ReadDb, search: AuditSearch): Promise<AuditEventRow[]> => {
  const { from, to, type, actor, correlation, stream, after, order, limit } = search;
  const newestFirst = order === 'newest';
  let query = tables(db, auditEvents)
    .selectFrom('audit_events')
    .selectAll()
    .orderBy('commit', newestFirst ? 'desc' : 'asc')
    .orderBy('prepare', newestFirst ? 'desc' : 'asc')
    .limit(limit);
  query = type === undefined ? query.where('type', 'not in', READS) : query.where('type', '=', type);
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<=', to);
  if (actor !== undefined) query = query.where('actor_id', '=', actor);
  if (correlation !== undefined) query = query.where('correlation_id', '=', correlation);
  if (stream !== undefined) query = query.where('stream', '=', stream);
  if (after !== undefined) {
    const place = sql<boolean>`(commit, prepare)`;
    const beyond = sql<boolean>`(${after.commit.toString()}::bigint, ${after.prepare.toString()}::bigint)`;
    query = query.where(newestFirst ? sql<boolean>`${place} < ${beyond}` : sql<boolean>`${place} > ${beyond}`);
  }
  return query.execute();
};
