/**
 * Leases: one active process per task, of the tasks of a role. A lease is a row with an expiry by the database's clock and a
 * fencing token that grows with every change of holder: work done under a lease checks its token in the same transaction, so
 * that a holder that was frozen and continues later cannot write. Processes share a group of leases: each takes no more than
 * its share, and the others take over what a process leaves behind. They know each other by a row of the same table, which
 * each renews with its leases: one statement a round, however many leases there are.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isClaimed, outlivedClaims, shareConnection } from './claims.ts';
import type { Logger } from './log.ts';
import { migrations } from './migrations.ts';
import type { Pool } from './postgres.ts';
import { linkSignals, sleep } from './retry.ts';

export const leaseMigrations = migrations('infra', {
  '0001_leases': `
    create table ops.leases (
      name text primary key,
      holder text not null,
      token bigint not null,
      expires_at timestamptz not null
    );
  `,
  personalData: { 'ops.leases': { nothing: 'names of processes' } },
});

/** A lease that this process has. Fenced statements compare the token. */
export interface Lease {
  readonly name: string;
  readonly token: number;
}

export interface LeaseOptions {
  /** Names the processes that share: each has the row `<group>@<holder>`. */
  readonly group: string;
  /** The leases to share. Every process of the group names the same. */
  readonly names: readonly string[];
  /** Name of the holder that the CLI shows. Default: host and process id. */
  readonly holder?: string;
  /** How long leases last without renewal, and so how long the others wait after a crash. */
  readonly ttlMs?: number;
  /** How often the leases are renewed, and free ones are looked for. */
  readonly roundMs?: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** The lease has another holder: do not commit the current work. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`lease ${name} is held by another process`);
    this.name = 'LeaseLost';
  }
}

/** How long a lease lasts without renewal, unless the caller says otherwise. */
const LEASE_MS = 5_000;
const ROUND_MS = 1_000;
/** SQL: somebody has a lease of the usual length. */
export const IS_HELD = isClaimed('expires_at', `interval '${LEASE_MS} milliseconds'`);

/** Names this process, and its use of a lease among others. */
export const holderName = (): string => `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

/** Each with its token and its end: it is the same claim as long as these are. */
const CLAIM = `name || ' ' || token || ' ' || expires_at`;
const FAR = `
  select ${CLAIM} as claim from ops.leases
  where name = any ($1) and expires_at > clock_timestamp() + $2 * interval '1 millisecond'`;
const LASTS = `clock_timestamp() + $1 * interval '1 millisecond'`;
const PREPARE = `
  with forgotten as (
    delete from ops.leases where starts_with(name, $2)
    and expires_at not between clock_timestamp() - interval '1 hour' and clock_timestamp() + interval '1 hour'
  )
  insert into ops.leases (name, holder, token, expires_at)
  select name, '', 0, '-infinity' from unnest($1::text[]) as name on conflict (name) do nothing`;
const RENEW = `
  with renewed as (
    update ops.leases as lease set expires_at = ${LASTS}
    from unnest($2::text[], $3::bigint[]) as held (name, token)
    where lease.name = held.name and lease.token = held.token
    returning lease.name
  ), present as (
    insert into ops.leases (name, holder, token, expires_at) values ($4, $5, 1, ${LASTS})
    on conflict (name) do update set expires_at = excluded.expires_at
  )
  select array(select name from renewed) as renewed,
    (select count(*)::integer from ops.leases
     where starts_with(name, $6) and name <> $4 and expires_at between clock_timestamp() and ${LASTS}) as others`;
/**
 * A takeover needs the row for itself (`for update`), a renewal does not: so a transaction that has checked the lease
 * (`for key share`) keeps others from taking it, and lets its holder renew. Nobody waits, because the connection is
 * shared: who finds the row locked tries again later.
 */
const TAKE = `
  with free as (
    select name from ops.leases where name = any ($2) and (expires_at < clock_timestamp() or ${CLAIM} = any ($5::text[]))
    order by name limit $3 for update skip locked
  )
  update ops.leases as lease set holder = $4, token = lease.token + 1, expires_at = ${LASTS}
  from free where lease.name = free.name
  returning lease.name, lease.token`;
const GIVE_UP = `
  update ops.leases as lease set expires_at = '-infinity' from unnest($1::text[], $2::bigint[]) as held (name, token)
  where lease.name = held.name and lease.token = held.token`;
const LEAVE = 'delete from ops.leases where name = $1';

type Held = Map<string, number>;
const columnsOf = (held: Held): [names: string[], tokens: number[]] => [[...held.keys()], [...held.values()]];

/** The statements of one process. */
const member = (pool: Pool, { group, names, ...options }: LeaseOptions) => {
  const { holder = holderName(), ttlMs = LEASE_MS } = options;
  const present = `${group}@${holder}`;
  const outlived = outlivedClaims(ttlMs, async () =>
    (await pool.query<{ claim: string }>(FAR, [names, ttlMs])).rows.map(({ claim }) => claim),
  );
  return {
    ttlMs,
    prepare: async (): Promise<void> => {
      await pool.query(PREPARE, [names, `${group}@`]);
    },
    /** @returns the leases that are still held, and how many processes there are */
    renew: async (held: Held): Promise<{ renewed: ReadonlySet<string>; members: number }> => {
      const values = [ttlMs, ...columnsOf(held), present, holder, `${group}@`];
      const { rows } = await pool.query<{ renewed: string[]; others: number }>(RENEW, values);
      return { renewed: new Set(rows[0]?.renewed), members: 1 + (rows[0]?.others ?? 0) };
    },
    take: async (most: number): Promise<readonly Lease[]> =>
      (await pool.query<Lease>(TAKE, [ttlMs, names, most, holder, await outlived()])).rows,
    giveUp: async (held: Held): Promise<void> => {
      if (held.size > 0) await pool.query(GIVE_UP, columnsOf(held));
    },
    leave: async (): Promise<void> => {
      await pool.query(LEAVE, [present]);
    },
  };
};

/**
 * Runs `work` with the leases that this process has, again whenever they change, until the signal fires. Its signal asks
 * it to finish what it has begun and to return: one lease was lost, or more were taken, or some are to be given up, which
 * happens once it has returned.
 * @param pool the pool of the work that the leases are for
 * @throws what `work` throws; the leases are given up then
 */
export const shareLeases = async (
  pool: Pool,
  options: LeaseOptions,
  work: (held: readonly Lease[], signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const { signal, log, names, roundMs = ROUND_MS } = options;
  const connection = shareConnection(pool, log);
  const { ttlMs, ...ask } = member(connection.pool, options);
  const orWarn = warning(log, options.group);
  const held: Held = new Map();
  let share = names.length;
  let term = new AbortController();
  let expiry: NodeJS.Timeout | undefined;

  const lose = (lost: readonly string[], why: string): void => {
    for (const name of lost) held.delete(name);
    if (lost.length === 0) return;
    log.warn({ leases: lost }, `leases lost: ${why}`);
    term.abort();
  };
  const surplus = (): Held => new Map([...held].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(share));

  let isPrepared = false;
  const round = async (): Promise<void> => {
    if (!isPrepared) await ask.prepare();
    isPrepared = true;
    // Counted from before the request, so that a lease never lasts longer by our clock than by the database's.
    const askedAt = performance.now();
    const before = [...held.keys()];
    const { renewed, members } = await ask.renew(held);
    clearTimeout(expiry);
    expiry = setTimeout(() => lose([...held.keys()], 'not renewed in time'), askedAt + ttlMs - performance.now());
    lose(
      before.filter((name) => held.has(name) && !renewed.has(name)),
      'taken by another process',
    );
    share = Math.ceil(names.length / members);
    const taken = held.size < share ? await ask.take(share - held.size) : [];
    for (const { name, token } of taken) held.set(name, token);
    if (taken.length > 0) log.info({ leases: taken.map(({ name }) => name), members }, 'leases acquired');
    if (taken.length > 0 || held.size > share) term.abort();
  };

  const ended = new AbortController();
  const rounds = (async () => {
    while (!ended.signal.aborted) {
      await orWarn(round());
      await sleep(roundMs, ended.signal);
    }
  })();

  try {
    while (!signal.aborted) {
      term = new AbortController();
      const given = surplus();
      for (const name of given.keys()) held.delete(name);
      await orWarn(ask.giveUp(given));
      const { signal: untilChange, end } = linkSignals(signal, term.signal);
      const mine = [...held].map(([name, token]) => ({ name, token }));
      if (mine.length > 0) await work(mine, untilChange).finally(end);
      else await sleep(roundMs, untilChange);
      end();
    }
  } finally {
    ended.abort();
    await rounds;
    clearTimeout(expiry);
    await orWarn(ask.giveUp(held));
    await orWarn(ask.leave());
    await connection.leave();
  }
};

/** Without the database, the leases that are held last until they expire. */
const warning =
  (log: Logger, group: string) =>
  (asked: Promise<void>): Promise<void> =>
    asked.catch((err: unknown) => log.warn({ err, group }, 'the leases of a group cannot be asked for'));
