/**
 * What the realtime hub sends: every change of a row that some channel carries, numbered per channel, written in the
 * same transaction as the row. An `epoch` names one history of numbers; a rebuild starts a new one.
 */
import { Type } from '@sinclair/typebox';
import type { Migrations } from '../../infra/migrations.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';
import { withoutStatistics } from '../../infra/plannerStatistics.ts';
import type { Pool, PoolClient, Queryable } from '../../infra/postgres.ts';
import { type ReadDb, tables } from './readDb.ts';

/**
 * The timeline of the database: it changes when a replica takes over or a backup is recovered, after which the newest
 * numbers may be missing and are given again to other changes.
 */
const TIMELINE = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`;
/** Whether the numbers go on. */
const GOES_ON = `timeline is not distinct from ${TIMELINE}`;

/** In the schema `read`, which may be dropped at any time: so it is made at every start. */
export const changesMigrations: Migrations = {
  steps: {},
  everyStart: `
    create schema if not exists read;
    create table if not exists read.epoch (one boolean primary key default true check (one), epoch uuid not null);
    alter table read.epoch add column if not exists timeline text;
    insert into read.epoch values (true, gen_random_uuid(), ${TIMELINE}) on conflict do nothing;
    -- People who were erased: of the changes up to this id, nobody reads those that show them. They are deleted until \`done\`.
    create table if not exists read.forgetting (
      person uuid primary key,
      up_to bigint not null,
      at timestamptz not null default now(),
      done boolean not null default false
    );
    create table if not exists read.channels (channel text primary key, last_offset bigint not null);
    create table if not exists read.changes (
      id bigint generated always as identity primary key,
      channel text not null,
      "offset" bigint not null,
      type text not null,
      data text not null,
      at timestamptz not null,
      unique (channel, "offset")
    );
    alter table read.changes add column if not exists starts_for uuid;
    alter table read.changes add column if not exists ends_for uuid;
    create index if not exists changes_access on read.changes (channel, "offset")
      where starts_for is not null or ends_for is not null;
    create index if not exists changes_ends on read.changes (channel, "offset") where ends_for is not null;
    -- Of the row that a change shows, where its former changes may be withdrawn: otherwise null. Empty in changes of releases
    -- that did not say it.
    alter table read.changes add column if not exists of_row text default '';
    create index if not exists changes_of_row on read.changes (channel, of_row) where of_row is not null;
    -- Whom it shows, where neither the channel nor the data has their id. Empty in changes of releases that did not say it: they
    -- may show anybody.
    alter table read.changes add column if not exists of_people uuid[] default '{}';
    create index if not exists changes_at on read.changes (at);
    -- Release 0.1.0 stored it as jsonb.
    do $$ begin
      if 'jsonb' = (select atttypid::regtype::text from pg_attribute where attrelid = 'read.changes'::regclass and attname = 'data')
      then alter table read.changes alter column data type text;
      end if;
    end $$;
    ${withoutStatistics('read.changes', ['data'])};
  `,
};

/** NOTIFY channel; the payload names the channels that have new changes: see `changedChannels`. */
export const CHANGES_CHANNEL = 'changes';
/** PostgreSQL refuses a payload of 8,000 bytes. */
const MAX_PAYLOAD = 7_999;
const ANY_CHANNEL = '';

const payloadFor = (changes: readonly Change[]): string => {
  const payload = JSON.stringify([...new Set(changes.map(({ channel }) => channel))]);
  return Buffer.byteLength(payload) <= MAX_PAYLOAD ? payload : ANY_CHANNEL;
};

/** The channels that a notification names. `undefined`: any may have changed, because they are too many to be named. */
export const changedChannels = (payload: string): readonly string[] | undefined =>
  payload.startsWith('[') ? (JSON.parse(payload) as string[]) : undefined;

/** NOTIFY channel; the payload is the new epoch. */
export const EPOCH_CHANNEL = 'epoch';

/** What the former changes of a row show: what the newest one says, or something else. */
export interface Withdrawal {
  /** Of the row. */
  readonly id: string;
  /** In place of what was told to somebody whose access has ended since, as JSON text: they must not see anything newer. */
  readonly instead: string;
}

/** One change before it has its offset. */
export interface Change {
  readonly channel: string;
  readonly type: string;
  /** The row in its wire form, as JSON text. */
  readonly data: string;
  readonly at: string;
  /** The account whose access to the channel begins with this change. */
  readonly startsFor?: string | null;
  /** The account whose access to the channel ends with this change. */
  readonly endsFor?: string | null;
  /** The id of the row, where `withdraws` may name it later. */
  readonly ofRow?: string | null;
  /** Whom it shows, where neither the channel nor the data has their id: so their erasure finds the change. */
  readonly ofPeople?: readonly string[];
  /** Where what was told of the row before is not shown any more. */
  readonly withdraws?: Withdrawal | null;
}

const rank = ({ startsFor, endsFor }: Change): number => {
  if (endsFor) return 0;
  return startsFor ? 2 : 1;
};

/** What one statement does together with the appending of changes. */
export interface Also {
  /** Of a `with` clause. Its parameters are the first ones. */
  readonly part: string;
  readonly select: string;
  readonly values: readonly unknown[];
}

/**
 * Numbers and stores changes, and wakes the hubs at commit. Keeps the epoch until the transaction ends, so that changes
 * commit in the order of their ids: the hubs read by id, and would miss one that commits late. Starts a new epoch where the
 * numbers do not go on. What ends somebody's access comes first, and what begins it comes last: of a batch, they get nothing
 * that may be from a time without access.
 */
export const appendChanges = async (client: PoolClient, changes: readonly Change[], also?: Also): Promise<void> => {
  if (changes.length === 0) {
    if (also) await client.query(`with ${also.part} select ${also.select}`, [...also.values]);
    return;
  }
  const values = [...(also?.values ?? []), rowsOf(changes), payloadFor(changes)];
  // Everything is made of rows that are joined with the epoch: channels are locked, and ids given, after it was locked.
  const { rows } = await client.query<{ same: boolean }>(
    `with kept as materialized (select ${GOES_ON} as same from read.epoch for update),
     new as materialized (
       select ord, channel, type, data, at, starts_for, ends_for, of_row, of_people, row_number() over (partition by channel order by ord) as nth
       from kept, json_to_recordset($${values.length - 1}::json)
         as c(ord bigint, channel text, type text, data text, at timestamptz, starts_for uuid, ends_for uuid, of_row text, of_people uuid[])
     ), counted as (
       insert into read.channels as c (channel, last_offset)
       select channel, count(*) from new group by channel
       on conflict (channel) do update set last_offset = c.last_offset + excluded.last_offset
       returning channel, last_offset
     ), totals as (select channel, count(*) as total from new group by channel
     ), stored as (
       insert into read.changes (channel, "offset", type, data, at, starts_for, ends_for, of_row, of_people)
       select n.channel, k.last_offset - t.total + n.nth, n.type, n.data, n.at, n.starts_for, n.ends_for, n.of_row, n.of_people
       from new n join counted k using (channel) join totals t using (channel) order by n.ord
       returning id
     )${also ? `, ${also.part}` : ''}
     select (select same from kept) as same, pg_notify('${CHANGES_CHANNEL}', $${values.length})${also ? `, ${also.select}` : ''}
     from (select count(*) from stored) as done`,
    values,
  );
  if (rows[0]?.same === false) await startEpoch(client);
  await withdrawFormer(client, changes);
};

/**
 * Lets the stored changes of withdrawn rows show them as they are now. Numbers stay without gaps. A hub may not have sent
 * them yet to somebody who has lost access since: what was told before that does not show anything newer.
 */
const withdrawFormer = async (client: PoolClient, changes: readonly Change[]): Promise<void> => {
  const newest = new Map<string, object>();
  for (const { channel, type, data, withdraws } of changes) {
    const [entity] = type.split('.');
    if (withdraws) newest.set(`${channel} ${entity} ${withdraws.id}`, { channel, entity, data, ...withdraws });
  }
  if (newest.size === 0) return;
  // Of the changes that do not name their row, most do not have its id anywhere, so that few are parsed.
  await client.query(
    `update read.changes c set data = case when c."offset" < (
         select e."offset" from read.changes e where e.channel = c.channel and e.ends_for is not null -- as the index has it
         order by e."offset" desc limit 1
       ) then n.instead else n.data end
     from json_to_recordset($1::json) as n(channel text, entity text, data text, id text, instead text)
     where c.channel = n.channel and c.of_row = any (array[n.id, '']) and c.of_row is not null -- as the index has it
       and split_part(c.type, '.', 1) = n.entity
       and (c.of_row = n.id or (strpos(c.data, n.id) > 0 and c.data::jsonb ->> 'id' = n.id))`,
    [JSON.stringify([...newest.values()])],
  );
};

const rowsOf = (changes: readonly Change[]): string => {
  const ordered = changes.toSorted((a, b) => rank(a) - rank(b));
  return JSON.stringify(
    ordered.map(({ startsFor, endsFor, ofRow, ofPeople = [], withdraws: _, ...change }, ord) => ({
      ord,
      ...change,
      of_row: ofRow,
      of_people: ofPeople.length > 0 ? ofPeople : null,
      starts_for: startsFor,
      ends_for: endsFor,
    })),
  );
};

/** Starts a new history of numbers: clients that resume from an older one must read the state again over REST. */
export const startEpoch = async (client: PoolClient): Promise<void> => {
  await client.query(
    `with next as (update read.epoch set epoch = gen_random_uuid(), timeline = ${TIMELINE} returning epoch)
     select pg_notify('${EPOCH_CHANNEL}', epoch::text) from next`,
  );
};

/** Deletes the long ephemeral messages that fulfil a condition. Those that somebody else is deleting are left to them. */
const deletingEphemeral = (condition: string): string =>
  `delete from read.ephemeral where id in (select id from read.ephemeral where ${condition} for update skip locked)`;

/** Whether a change shows somebody, as SQL. @param person SQL of their id */
const shows = (person: string): string => `(of_people = '{}' or ${person} = any (of_people)
  or strpos(data, ${person}::text) > 0 or strpos(channel, ${person}::text) > 0)`;

/** Whether a change is one that nobody reads any more, as SQL: it shows somebody who was erased since. */
export const SHOWS_ERASED = `exists (
  select from read.forgetting f where not f.done and id <= f.up_to and ${shows('f.person')})`;

/**
 * Forgets what was told of people: nobody reads the changes any more of their rows, or that name them, and
 * `deleteForgotten` deletes them. The others stay. The numbers go on: whoever has had all changes misses nothing, and the
 * others find a gap.
 */
export const forgetChanges = async (client: PoolClient, people: readonly string[]): Promise<void> => {
  await client.query('select from read.epoch for update'); // by itself, so that the next statement sees what it waited for
  await client.query(
    `insert into read.forgetting (person, up_to)
     select person, coalesce((select max(id) from read.changes), 0) from unnest($1::uuid[]) as person
     on conflict (person) do update set up_to = excluded.up_to, at = now(), done = false`,
    [people],
  );
  await client.query(
    deletingEphemeral('exists (select from unnest($1::text[]) as person where strpos(message, person) > 0)'),
    [people],
  );
};

/** A place in the history of a channel: everything up to `offset` of `epoch`. */
export interface ChannelPosition {
  readonly epoch: string;
  readonly offset: number;
}

/** Up to where the rows show the changes of a channel, as the transaction of `client` sees them. */
export const channelPosition = async (
  client: Pick<PoolClient, 'query'>,
  channel: string,
): Promise<ChannelPosition | undefined> => {
  const { rows } = await client.query<ChannelPosition>(
    `select epoch, coalesce((select last_offset from read.channels where channel = $1), 0) as "offset" from read.epoch`,
    [channel],
  );
  return rows[0];
};

/** The epoch that the rows belong to. */
export const currentEpoch = async (db: ReadDb): Promise<string> => {
  const { epoch } = await tables(db, { name: 'epoch', row: Type.Object({ epoch: Type.String() }) })
    .selectFrom('epoch')
    .select('epoch')
    .executeTakeFirstOrThrow();
  return epoch;
};

/** How far back a client can resume. After that it must read the state again over REST. */
const KEPT = { hours: 24, rows: 1_000_000 };

export const channelChanges: ExternalPersonalData = {
  what: 'changes that clients can resume from (`read.changes`), and long ephemeral messages (`read.ephemeral`)',
  where: 'database',
  why: { purpose: 'show changes at once, without a gap', basis: 'contract', seenBy: ['self', 'members'] },
  retention: [
    { after: 'at', hours: KEPT.hours, by: '`pruneChanges`; ephemeral ones a minute, at the latest within an hour' },
  ],
  exported: 'no: copies',
  erased:
    'all that show the person are forgotten at once, and deleted within seconds; clients that have not had them read their state again',
};
const DELETED_AT_ONCE = 10_000;
const EPHEMERAL_KEPT_S = 60;

/** Deletes changes in small steps. Those that somebody else is deleting are left to them. @param which condition of SQL */
const deleteWhere = async (pool: Pool, which: string, values: readonly unknown[] = []): Promise<void> => {
  const text = `delete from read.changes where id in (
    select id from read.changes where ${which} order by id limit ${DELETED_AT_ONCE} for update skip locked)`;
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; )
    deleted = (await pool.query(text, [...values])).rowCount ?? 0;
};

/** So many people are looked for at once. */
const FORGOTTEN_AT_ONCE = 20;

/** Deletes what was told of people who were erased, in steps of so many ids. */
const deleteToldOf = async (pool: Pool, people: readonly string[], upTo: number): Promise<void> => {
  const { rows } = await pool.query<{ id: number | null }>('select min(id) as id from read.changes');
  for (let from = rows[0]?.id ?? upTo; from <= upTo; from += DELETED_AT_ONCE)
    await pool.query(
      `delete from read.changes where id >= $1 and id < $2 and id <= $3 and exists
         (select from unnest($4::uuid[]) as person where ${shows('person')})`,
      [from, from + DELETED_AT_ONCE, upTo, people],
    );
};

/** Deletes the changes that were forgotten. Safe to repeat, also beside another process that does it. */
export const deleteForgotten = async (pool: Pool): Promise<void> => {
  for (;;) {
    const { rows } = await pool.query<{ person: string; up_to: number }>(
      'select person, up_to from read.forgetting where not done order by at limit $1',
      [FORGOTTEN_AT_ONCE],
    );
    if (rows.length === 0) return;
    const people = rows.map(({ person }) => person);
    await deleteToldOf(pool, people, Math.max(...rows.map(({ up_to }) => up_to)));
    // One that was forgotten again meanwhile is looked for once more.
    await pool.query(
      `update read.forgetting as f set done = true from unnest($1::uuid[], $2::bigint[]) as of (person, up_to)
       where f.person = of.person and f.up_to = of.up_to`,
      [people, rows.map(({ up_to }) => up_to)],
    );
  }
};

/** Whether what was told of people who were erased is still being deleted: of those until an instant, or of all. */
export const isForgetting = async (db: Queryable, until?: string): Promise<boolean> => {
  const text = 'select from read.forgetting where not done and at <= coalesce($1::timestamptz, at) limit 1';
  return (await db.query(text, [until ?? null])).rowCount !== 0;
};

/** Deletes changes that are too old or too many, in small steps, and ephemeral messages that nobody has deleted since. */
export const pruneChanges = async (pool: Pool): Promise<void> => {
  await pool.query(deletingEphemeral(`at <= now() - $1 * interval '1 second'`), [EPHEMERAL_KEPT_S]);
  await pool.query(`delete from read.forgetting where done and at < now() - $1 * interval '1 hour'`, [KEPT.hours]);
  const isOver = `at < now() - $1 * interval '1 hour' or id <= (select max(id) from read.changes) - $2`;
  await deleteWhere(pool, isOver, [KEPT.hours, KEPT.rows]);
};
