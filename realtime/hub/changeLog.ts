/** How the hub reads what the projector wrote: every answer is one statement, so that epoch and changes belong together. */
import type { Pool } from '../../infra/postgres.ts';
import { createGate } from './limits.ts';
import type { Place } from './protocol.ts';

/** One stored change, ready to be sent. */
export interface Change {
  readonly id: number;
  readonly channel: string;
  readonly epoch: string;
  readonly offset: number;
  /** Its envelope for a subscriber that calls the channel `name`, made once for all who call it so. */
  readonly frame: (name: string) => Uint8Array;
}

export interface ChangePage {
  readonly epoch: string;
  readonly changes: readonly Change[];
}

/** What one channel holds after a place. */
export interface ChannelPage extends ChangePage {
  /** The number of the channel's newest change; 0 when it never had one. */
  readonly last: number;
}

export interface ChangeLog {
  /** The present epoch and the id of the newest change. */
  head(): Promise<{ epoch: string; id: number }>;
  /** The changes of all channels after `id`, at most `PAGE`. */
  after(id: number): Promise<ChangePage>;
  /** One channel's changes after `offset` (none without one), at most `PAGE`. */
  page(channel: string, offset: number | undefined): Promise<ChannelPage>;
}

/** Changes read at once. A shorter page means: that was all. */
export const PAGE = 100;

/** Many sockets come back at once after a restart: they wait here, not for a connection of the pool until it times out. */
const PAGES_AT_ONCE = 4;

interface StoredChange {
  readonly id: number;
  readonly channel: string;
  readonly offset: number;
  readonly type: string;
  readonly ts: string;
  /** JSON text, passed on as it is. */
  readonly data: string;
}

/** The epoch's row with a change beside it, or with nothing. */
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
    if (!first) throw new Error('read.epoch has no row: the read schema is not set up');
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

/** Whether `page` goes on exactly where `place` ends: same history, nothing pruned away in between. */
export const continues = (page: ChannelPage, place: Place | undefined): boolean =>
  place !== undefined && place.epoch === page.epoch && (page.changes[0]?.offset ?? page.last + 1) === place.offset + 1;
