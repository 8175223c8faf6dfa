/** Reads the changes that the projector wrote. Every read is one statement, so that epoch and changes belong together. */
import type { Pool } from '../../infra/postgres.ts';
import { createGate } from './limits.ts';
import type { Cursor } from './protocol.ts';

/** One stored change, ready to be sent. */
export interface Change {
  readonly id: number;
  readonly channel: string;
  readonly epoch: string;
  readonly offset: number;
  /** Its envelope for subscribers that call the channel `name`, encoded once for all of them. */
  readonly frame: (name: string) => Uint8Array;
}

export interface ChangePage {
  readonly epoch: string;
  readonly changes: readonly Change[];
}

/** The changes of one channel after a cursor. */
export interface ChannelPage extends ChangePage {
  /** Offset of the channel's newest change; 0 when it has none. */
  readonly last: number;
}

export interface ChangeLog {
  /** The current epoch and the id of the newest change. */
  head(): Promise<{ epoch: string; id: number }>;
  /** The changes of all channels after `id`, at most `PAGE`. */
  after(id: number): Promise<ChangePage>;
  /** One channel's changes after `offset` (none without one), at most `PAGE`. */
  page(channel: string, offset: number | undefined): Promise<ChannelPage>;
}

/** Changes per page. A shorter page is the last one. */
export const PAGE = 100;

/** After a restart many sockets resume at once. They queue here, instead of waiting for the pool until it times out. */
const PAGES_AT_ONCE = 4;

interface StoredChange {
  readonly id: number;
  readonly channel: string;
  readonly offset: number;
  readonly type: string;
  readonly ts: string;
  /** JSON text, sent unchanged. */
  readonly data: string;
}

/** The epoch, joined with a change or with nulls. */
type Row = { epoch: string; last: number } & (StoredChange | { [K in keyof StoredChange]: null });

const toChange = (epoch: string, row: StoredChange): Change => {
  const { id, channel, offset, type, ts, data } = row;
  const frames = new Map<string, Uint8Array>();
  const envelope = (name: string) =>
    Buffer.from(`${JSON.stringify({ channel: name, type, offset, epoch, ts }).slice(0, -1)},"data":${data}}`);
  return {
    id,
    channel,
    epoch,
    offset,
    frame: (name) => {
      const made = frames.get(name) ?? envelope(name);
      frames.set(name, made);
      return made;
    },
  };
};
const changesOf = (epoch: string, rows: readonly Row[]): Change[] =>
  rows.filter((row) => row.id !== null).map((row) => toChange(epoch, row));

const COLUMNS = `id, channel, "offset", type, at as ts, data::text as data`;

export const createChangeLog = (pool: Pool): ChangeLog => {
  const gate = createGate(PAGES_AT_ONCE);
  const read = async (sql: string, values: readonly unknown[]): Promise<{ first: Row; rows: Row[] }> => {
    const { rows } = await pool.query<Row>(sql, [...values]);
    const [first] = rows;
    if (!first) throw new Error('read.epoch has no row: start the worker once, which creates the read schema');
    return { first, rows };
  };
  return {
    head: async () => {
      const sql = `select epoch, coalesce((select max(id) from read.changes), 0) as id from read.epoch`;
      const { first } = await read(sql, []);
      return { epoch: first.epoch, id: first.id ?? 0 };
    },
    after: async (id) => {
      const { first, rows } = await read(
        `select e.epoch, c.* from read.epoch e left join lateral
           (select ${COLUMNS} from read.changes where id > $1 order by id limit ${PAGE}) c on true order by c.id`,
        [id],
      );
      return { epoch: first.epoch, changes: changesOf(first.epoch, rows) };
    },
    page: (channel, offset) =>
      gate(async () => {
        const { first, rows } = await read(
          `select e.epoch, coalesce((select last_offset from read.channels where channel = $1), 0) as last, c.*
           from read.epoch e left join lateral
             (select ${COLUMNS} from read.changes where channel = $1 and "offset" > $2 order by "offset" limit ${PAGE}) c
             on true order by c."offset"`,
          [channel, offset ?? null],
        );
        return { epoch: first.epoch, last: first.last, changes: changesOf(first.epoch, rows) };
      }),
  };
};

/** Whether `page` starts right after `cursor`: the same epoch, and nothing pruned in between. */
export const continues = (page: ChannelPage, cursor: Cursor | undefined): boolean =>
  cursor !== undefined &&
  cursor.epoch === page.epoch &&
  (page.changes[0]?.offset ?? page.last + 1) === cursor.offset + 1;
