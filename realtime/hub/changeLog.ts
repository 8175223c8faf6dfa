/** Reads the changes that the projector wrote. Every read is one statement, so that epoch and changes belong together. */
import { gather } from '../../infra/gather.ts';
import { groupBy } from '../../infra/groupBy.ts';
import type { Pool } from '../../infra/postgres.ts';
import { SHOWS_ERASED } from '../../projections/engine/changes.ts';
import type { Cursor } from './protocol.ts';

/** One stored change, ready to be sent. */
export interface Change {
  readonly id: number;
  readonly channel: string;
  readonly epoch: string;
  readonly offset: number;
  /** The account whose access to the channel ends with this change. */
  readonly endsFor: string | null;
  /** Its envelope for subscribers that call the channel `name`, encoded once for all of them. */
  readonly frame: (name: string) => Uint8Array;
}

interface ChangePage {
  readonly epoch: string;
  readonly changes: readonly Change[];
}

/** The changes of many channels after an id. */
export interface FeedPage extends ChangePage {
  /** Every change up to this id is on this page or was left out on purpose. */
  readonly upTo: number;
  /** Whether changes after the id that was asked for were forgotten before this reader had them. */
  readonly misses: boolean;
}

/** The changes of one channel after a cursor. */
export interface ChannelPage extends ChangePage {
  /** Offset of the channel's newest change; 0 when it has none. */
  readonly last: number;
}

export interface ChangeLog {
  /** The current epoch and the id of the newest change. */
  head(): Promise<{ epoch: string; id: number }>;
  /** The changes after `id`, at most `PAGE`: of these channels, or of all. */
  after(id: number, channels?: readonly string[]): Promise<FeedPage>;
  /** One channel's changes after `offset` (none without one), at most `PAGE`. */
  page(channel: string, offset: number | undefined): Promise<ChannelPage>;
  /** Whether an account's access to a channel has begun after `offset`, for the first time or again. */
  accessBeganAfter(channel: string, offset: number, accountId: string): Promise<boolean>;
}

/** Changes per page. A shorter page is the last one. */
export const PAGE = 100;

/**
 * After a restart many sockets resume at once. They queue here, instead of waiting for the pool until it times out, and
 * those that have queued share a statement.
 */
const STATEMENTS_AT_ONCE = 4;
/** A page may have 100 changes. */
const PAGES_PER_STATEMENT = 25;
const CHECKS_PER_STATEMENT = 200;

interface StoredChange {
  readonly id: number;
  readonly channel: string;
  readonly offset: number;
  readonly type: string;
  readonly ts: string;
  /** JSON text, sent unchanged. */
  readonly data: string;
  readonly endsFor: string | null;
}

/** The epoch, joined with a change or with nulls. */
type Row = { epoch: string; last: number | null; misses?: boolean } & (
  | StoredChange
  | { [K in keyof StoredChange]: null }
);

const toChange = (epoch: string, row: StoredChange): Change => {
  const { id, channel, offset, type, ts, data, endsFor } = row;
  const frames = new Map<string, Uint8Array>();
  const envelope = (name: string) =>
    Buffer.from(`${JSON.stringify({ channel: name, type, offset, epoch, ts }).slice(0, -1)},"data":${data}}`);
  return {
    id,
    channel,
    epoch,
    offset,
    endsFor,
    frame: (name) => {
      const made = frames.get(name) ?? envelope(name);
      frames.set(name, made);
      return made;
    },
  };
};
const changesOf = (epoch: string, rows: readonly Row[]): Change[] =>
  rows.filter((row) => row.id !== null).map((row) => toChange(epoch, row));

const COLUMNS = `id, channel, "offset", type, at as ts, data::text as data, ends_for as "endsFor"`;

interface PageQuestion {
  readonly channel: string;
  readonly offset: number | undefined;
}

const readPages = async (pool: Pool, asked: readonly PageQuestion[]): Promise<ChannelPage[]> => {
  const { rows } = await pool.query<Row & { n: number }>(
    `select a.n, e.epoch, coalesce(l.last_offset, 0) as last, c.*
     from read.epoch e
     cross join unnest($1::text[], $2::bigint[]) with ordinality as a (asked, since, n)
     left join read.channels l on l.channel = a.asked
     left join lateral
       (select ${COLUMNS} from read.changes
        where channel = a.asked and "offset" > a.since and not ${SHOWS_ERASED} order by "offset" limit ${PAGE}) c
       on true
     order by a.n, c."offset"`,
    [asked.map(({ channel }) => channel), asked.map(({ offset }) => offset ?? null)],
  );
  const byQuestion = groupBy(rows, ({ n }) => n);
  return asked.map((_, n) => {
    const own = byQuestion.get(n + 1) ?? [];
    const { epoch, last } = firstOf(own);
    return { epoch, last: last ?? 0, changes: changesOf(epoch, own) };
  });
};

interface AccessQuestion {
  readonly channel: string;
  readonly offset: number;
  readonly accountId: string;
}

const readAccess = async (pool: Pool, asked: readonly AccessQuestion[]) => {
  const { rows } = await pool.query<{ began: boolean }>(
    `select exists
       (select from read.changes
        where channel = a.asked and "offset" > a.since and starts_for = a.who
          and (starts_for is not null or ends_for is not null)) as began
     from unnest($1::text[], $2::bigint[], $3::uuid[]) with ordinality as a (asked, since, who, n)
     order by a.n`,
    [asked.map(({ channel }) => channel), asked.map(({ offset }) => offset), asked.map(({ accountId }) => accountId)],
  );
  return rows.map(({ began }) => began);
};

const firstOf = (rows: readonly Row[]): Row => {
  const [first] = rows;
  if (!first) throw new Error('read.epoch has no row: start the worker once, which creates the read schema');
  return first;
};

export const createChangeLog = (pool: Pool): ChangeLog => {
  const pages = gather(
    (asked: readonly PageQuestion[]) => readPages(pool, asked),
    PAGES_PER_STATEMENT,
    STATEMENTS_AT_ONCE,
  );
  const access = gather(
    (asked: readonly AccessQuestion[]) => readAccess(pool, asked),
    CHECKS_PER_STATEMENT,
    STATEMENTS_AT_ONCE,
  );
  const read = async (sql: string, values: readonly unknown[]): Promise<{ first: Row; rows: Row[] }> => {
    const { rows } = await pool.query<Row>(sql, [...values]);
    return { first: firstOf(rows), rows };
  };
  return {
    head: async () => {
      const sql = `select epoch, greatest((select max(id) from read.changes), (select max(up_to) from read.forgetting)) as id from read.epoch`;
      const { first } = await read(sql, []);
      return { epoch: first.epoch, id: first.id ?? 0 };
    },
    after: async (id, channels) => {
      const { first, rows } = await read(
        `select e.epoch, exists (select from read.forgetting where up_to > $1::bigint) as misses,
           greatest((select max(id) from read.changes), (select max(up_to) from read.forgetting)) as last, c.*
         from read.epoch e left join lateral
           (select ${COLUMNS} from read.changes
            where id > $1::bigint and not ${SHOWS_ERASED} ${channels ? 'and channel = any($2)' : ''}
            order by id limit ${PAGE}) c on true order by c.id`,
        channels ? [id, channels] : [id],
      );
      const changes = changesOf(first.epoch, rows);
      // Changes commit in the order of their ids, so that none can come in below the newest.
      const upTo = changes.length < PAGE ? first.last : changes.at(-1)?.id;
      return { epoch: first.epoch, changes, upTo: Math.max(id, upTo ?? 0), misses: first.misses === true };
    },
    page: (channel, offset) => pages({ channel, offset }),
    accessBeganAfter: (channel, offset, accountId) => access({ channel, offset, accountId }),
  };
};

/** A client that has missed more changes of a channel than this reads its state again: that costs the same however many. */
const MOST_RESUMED = 5_000;

/** Whether a client that was away resumes after `cursor`, instead of reading its state again. */
export const canResume = (page: ChannelPage, cursor: Cursor): boolean =>
  continues(page, cursor) && page.last - cursor.offset <= MOST_RESUMED;

/** Whether `page` has all changes after `cursor`: the same epoch, and nothing pruned or forgotten in between. */
export const continues = ({ epoch, last, changes }: ChannelPage, cursor: Cursor | undefined): boolean =>
  cursor !== undefined &&
  cursor.epoch === epoch &&
  changes.every(({ offset }, n) => offset === cursor.offset + 1 + n) &&
  (changes.length === PAGE || last === cursor.offset + changes.length);
