/**
 * Messages that matter for a moment only: somebody types, is somewhere, rings. They are no events, have no number, and
 * reach at most once whoever listens now, at any hub; those that one process sends stay in their order. NOTIFY carries
 * them; one that is too long for it lies in a table for a minute. Another carrier (NATS, Redis) would take the place of
 * this file.
 */
import { randomUUID } from 'node:crypto';
import { gather } from '../../infra/gather.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import type { Migrations } from '../../infra/migrations.ts';
import { withoutStatistics } from '../../infra/plannerStatistics.ts';
import type { Queryable } from '../../infra/postgres.ts';

export interface Ephemeral {
  /** The channel's address. */
  readonly channel: string;
  /** What it says: `typing.started`. */
  readonly type: string;
  /** The account that it comes from. */
  readonly from: string;
  /** When it was sent, as RFC 3339. */
  readonly ts: string;
  readonly data: object;
}

/** NOTIFY channel. */
export const EPHEMERAL_CHANNEL = 'ephemeral';

/** Unlogged: a crash may empty it. In the schema `read`, which may be dropped at any time: so it is made at every start. */
export const ephemeralMigrations: Migrations = {
  steps: {},
  everyStart: `
    create schema if not exists read;
    create unlogged table if not exists read.ephemeral (id uuid primary key, message text not null, at timestamptz not null default now());
    ${withoutStatistics('read.ephemeral', ['message'])};
    create index if not exists ephemeral_at on read.ephemeral (at);
  `,
};

/** PostgreSQL refuses a payload of 8,000 bytes. */
const MAX_PAYLOAD = 7_999;
const AT_ONCE = 100;
/** More than this is dropped, newest first: the database is away or far too slow. */
const MAX_WAITING = 1_000;
const LOST = 'an ephemeral message is lost';

const SEND = `
  with stored as (
    insert into read.ephemeral (id, message) select * from unnest($2::uuid[], $3::text[])
  ), swept as (
    delete from read.ephemeral where at < now() - interval '1 minute'
  )
  select pg_notify('${EPHEMERAL_CHANNEL}', payload) from unnest($1::text[]) as payload`;

/** What a notification says: the message itself, or where it lies. */
type Payload = Ephemeral | { readonly channel: string; readonly stored: string };

interface Line<T> {
  readonly add: (one: T) => void;
  readonly isEmpty: () => boolean;
}

/** Does `work` for one group after the other, in the order in which they came. It never fails: it drops. */
const createLine = <T>(log: Logger, work: (group: readonly T[]) => Promise<unknown>): Line<T> => {
  let waiting = 0;
  const workFor = gather(
    async (group: readonly T[]) => {
      await work(group);
      return group;
    },
    AT_ONCE,
    1,
  );
  return {
    add: (one) => {
      if (waiting >= MAX_WAITING) return metrics.ephemeralDropped.inc();
      waiting += 1;
      workFor(one)
        .catch((err: unknown) => {
          metrics.ephemeralDropped.inc();
          log.warn({ err }, LOST);
        })
        .finally(() => {
          waiting -= 1;
        });
    },
    isEmpty: () => waiting === 0,
  };
};

/** A function that sends messages to the hubs, in their order, once they can be reached. It never fails: it drops. */
export const ephemeralSender = (db: Queryable, log: Logger): ((message: Ephemeral) => void) =>
  createLine<Ephemeral>(log, async (messages) => {
    const payloads: string[] = [];
    const stored = new Map<string, string>();
    for (const message of messages) {
      const text = JSON.stringify(message);
      if (Buffer.byteLength(text) <= MAX_PAYLOAD) payloads.push(text);
      else {
        const id = randomUUID();
        stored.set(id, text);
        payloads.push(JSON.stringify({ channel: message.channel, stored: id } satisfies Payload));
      }
    }
    await db.query(SEND, [payloads, [...stored.keys()], [...stored.values()]]);
  }).add;

/** The messages that were too long for a notification, by their ids. */
const readStored = async (db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Ephemeral>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; message: string }>(
    'select id, message from read.ephemeral where id = any($1)',
    [ids],
  );
  return new Map(rows.map(({ id, message }) => [id, JSON.parse(message) as Ephemeral]));
};

/**
 * A function that takes notifications and tells their messages in the order of the notifications: what was too long for
 * one is read first, and those that come after it wait. It never fails: it drops.
 * @param isListenedTo whether anybody here listens to a channel. The messages of other ones are not read
 */
export const ephemeralReader = (
  db: Queryable,
  log: Logger,
  isListenedTo: (channel: string) => boolean,
  tell: (message: Ephemeral) => void,
): ((payload: string) => void) => {
  const line = createLine<Payload>(log, async (payloads) => {
    const stored = await readStored(
      db,
      payloads.flatMap((said) => ('stored' in said ? [said.stored] : [])),
    );
    for (const said of payloads) {
      const message = 'stored' in said ? stored.get(said.stored) : said;
      if (message) tell(message);
    }
  });
  return (payload) => {
    try {
      const said = JSON.parse(payload) as Payload;
      if (!isListenedTo(said.channel)) return;
      if ('stored' in said || !line.isEmpty()) line.add(said);
      else tell(said);
    } catch (err) {
      log.warn({ err }, LOST);
    }
  };
};
