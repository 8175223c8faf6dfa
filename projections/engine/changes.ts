/**
 * What the realtime hub sends: every change of a row that some channel carries, numbered per channel, written in the
 * same transaction as the row. An `epoch` names one history of numbers; a rebuild starts a new one.
 */
import type { Migrations } from '../../infra/migrations.ts';
import type { Pool, PoolClient } from '../../infra/postgres.ts';
import { addressOf } from './channels.ts';
import { handled } from './handled.ts';
import type { ReadDb } from './readDb.ts';
import type { Json, ReadModel } from './readModel.ts';

/**
 * The timeline of the database: it changes when a replica takes over or a backup is recovered, after which the newest
 * numbers may be missing and are given again to other changes.
 */
const TIMELINE = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`;

/** In the schema `read`, which may be dropped at any time: so it is made at every start. */
export const changesMigrations: Migrations = {
  steps: {},
  everyStart: `
    create schema if not exists read;
    create table if not exists read.epoch (one boolean primary key default true check (one), epoch uuid not null);
    alter table read.epoch add column if not exists timeline text;
    insert into read.epoch values (true, gen_random_uuid(), ${TIMELINE}) on conflict do nothing;
    create table if not exists read.channels (channel text primary key, last_offset bigint not null);
    create table if not exists read.changes (
      id bigint generated always as identity primary key,
      channel text not null,
      "offset" bigint not null,
      type text not null,
      data jsonb not null,
      at timestamptz not null,
      unique (channel, "offset")
    );
    create index if not exists changes_at on read.changes (at);
  `,
};

/** NOTIFY channel; the payload is the highest `read.changes.id` of the transaction. */
export const CHANGES_CHANNEL = 'changes';
/** NOTIFY channel; the payload is the new epoch. */
export const EPOCH_CHANNEL = 'epoch';

/** One change before it has its offset. */
export interface Change {
  readonly channel: string;
  readonly type: string;
  /** The row in its wire form. */
  readonly data: object;
  readonly at: string;
}

/** A row before and after a batch of events. */
export interface Move {
  readonly before: Json | undefined;
  readonly after: Json | null;
  /** When the last of the events happened. */
  readonly at: string;
}

const verbOf = ({ before, after }: Move): 'created' | 'updated' | 'removed' => {
  if (after === null) return 'removed';
  return before === undefined ? 'created' : 'updated';
};

/**
 * The messages about rows that moved, one for each channel, each in the wire form of the channel's audience. A row that
 * came and went within the batch makes no message.
 */
export const changesOf = async (db: ReadDb, model: ReadModel, moves: readonly Move[]): Promise<Change[]> => {
  if (model.publishTo.length === 0) return [];
  const shown = moves.flatMap((move) => {
    const row = move.after ?? move.before;
    return row ? [{ row, type: `${model.entity}.${verbOf(move)}`, at: move.at }] : [];
  });
  if (shown.length === 0) return [];
  const rows = shown.map(({ row }) => row);
  const overlayOf = await model.wire.overlay(db, rows);
  return handled(() =>
    shown.flatMap(({ row, type, at }) =>
      model.publishTo.map(({ channel, idOf, audience }) => ({
        channel: addressOf(channel, idOf(row)),
        type,
        data: model.wire.of(row, audience, overlayOf(row)),
        at,
      })),
    ),
  );
};

/**
 * Keeps the epoch until the transaction ends, so that changes commit in the order of their ids: the hubs read by id, and
 * would miss one that commits late. Starts a new epoch on another timeline.
 */
const keepEpoch = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ same: boolean }>(
    `select timeline is not distinct from ${TIMELINE} as same from read.epoch for update`,
  );
  if (rows[0]?.same === false) await startEpoch(client);
};

/** Numbers and stores changes, and wakes the hubs at commit. */
export const appendChanges = async (client: PoolClient, changes: readonly Change[]): Promise<void> => {
  if (changes.length === 0) return;
  await keepEpoch(client);
  await client.query(
    `with new as (
       select ord, channel, type, data, at, row_number() over (partition by channel order by ord) as nth
       from jsonb_to_recordset($1::jsonb) as c(ord bigint, channel text, type text, data jsonb, at timestamptz)
     ), counted as (
       insert into read.channels as c (channel, last_offset)
       select channel, count(*) from new group by channel
       on conflict (channel) do update set last_offset = c.last_offset + excluded.last_offset
       returning channel, last_offset
     ), totals as (select channel, count(*) as total from new group by channel
     ), stored as (
       insert into read.changes (channel, "offset", type, data, at)
       select n.channel, k.last_offset - t.total + n.nth, n.type, n.data, n.at
       from new n join counted k using (channel) join totals t using (channel) order by n.ord
       returning id
     )
     select pg_notify('${CHANGES_CHANNEL}', max(id)::text) from stored`,
    [JSON.stringify(changes.map((change, ord) => ({ ord, ...change })))],
  );
};

/** Starts a new history of numbers: clients that resume from an older one must read the state again over REST. */
export const startEpoch = async (client: PoolClient): Promise<void> => {
  await client.query(
    `with next as (update read.epoch set epoch = gen_random_uuid(), timeline = ${TIMELINE} returning epoch)
     select pg_notify('${EPOCH_CHANNEL}', epoch::text) from next`,
  );
};

/** Forgets all changes, and starts a new history: nobody can tell which of them show something of an erased person. */
export const purgeChanges = async (client: PoolClient): Promise<void> => {
  await startEpoch(client);
  await client.query('truncate read.changes');
};

/** How far back a client can resume. After that it must read the state again over REST. */
const KEPT = { hours: 24, rows: 1_000_000 };
const PRUNED_AT_ONCE = 10_000;

/** Deletes changes that are too old or too many, in small steps. */
export const pruneChanges = async (pool: Pool): Promise<void> => {
  for (let pruned = PRUNED_AT_ONCE; pruned === PRUNED_AT_ONCE; ) {
    const { rowCount } = await pool.query(
      `delete from read.changes where id in (
         select id from read.changes
         where at < now() - $1 * interval '1 hour' or id <= (select max(id) from read.changes) - $2
         order by id limit ${PRUNED_AT_ONCE})`,
      [KEPT.hours, KEPT.rows],
    );
    pruned = rowCount ?? 0;
  }
};
