/**
 * Messages that matter for a moment only: somebody types, is somewhere, rings. They are no events, have no number, and
 * reach at most once whoever listens now, at any hub. NOTIFY carries them; one that is too long for it lies in a table
 * for a minute. Another carrier (NATS, Redis) would take the place of this file.
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

const SEND = `
  with stored as (
    insert into read.ephemeral (id, message) select * from unnest($2::uuid[], $3::text[])
  ), swept as (
    delete from read.ephemeral where at < now() - interval '1 minute'
  )
  select pg_notify('${EPHEMERAL_CHANNEL}', payload) from unnest($1::text[]) as payload`;

/** What a notification says: the message itself, or where it lies. */
type Payload = Ephemeral | { readonly channel: string; readonly stored: string };

/** A function that sends a message to the hubs, once they can be reached at once. It never fails: it drops. */
export const ephemeralSender = (db: Queryable, log: Logger): ((message: Ephemeral) => void) => {
  let waiting = 0;
  const send = gather(async (messages: readonly Ephemeral[]) => {
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
    return messages;
  }, AT_ONCE);
  return (message) => {
    if (waiting >= MAX_WAITING) return metrics.ephemeralDropped.inc();
    waiting += 1;
    send(message)
      .catch((err: unknown) => {
        metrics.ephemeralDropped.inc();
        log.warn({ err }, 'cannot send an ephemeral message');
      })
      .finally(() => {
        waiting -= 1;
      });
  };
};

/**
 * The message of a notification, if somebody here listens to its channel; `undefined` if nobody does, or if it is gone.
 * @throws when the database cannot be asked for it
 */
export const readEphemeral = async (
  db: Queryable,
  payload: string,
  isListenedTo: (channel: string) => boolean,
): Promise<Ephemeral | undefined> => {
  const said = JSON.parse(payload) as Payload;
  if (!isListenedTo(said.channel)) return undefined;
  if (!('stored' in said)) return said;
  const { rows } = await db.query<{ message: string }>('select message from read.ephemeral where id = $1', [
    said.stored,
  ]);
  return rows[0] && (JSON.parse(rows[0].message) as Ephemeral);
};
