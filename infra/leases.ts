/**
 * Leases: one active process per task. A lease is a row with an expiry by the database's clock and a fencing token that
 * grows with every change of holder: work done under a lease checks its token in the same transaction (`assertLease`),
 * so that a holder that was frozen and continues later cannot write. Leases have a connection of their own, and a holder
 * renews while its transaction runs, so that neither a full pool nor a long batch costs it the lease.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isClaimed, outlivedClaims } from './claims.ts';
import type { Logger } from './log.ts';
import { migrations } from './migrations.ts';
import { besidePool, type Pool, type Queryable } from './postgres.ts';
import { sleep } from './retry.ts';

export const leaseMigrations = migrations('infra', {
  '0001_leases': `
    create table ops.leases (
      name text primary key,
      holder text not null,
      token bigint not null,
      expires_at timestamptz not null
    );
  `,
  holds: { 'ops.leases': { nothing: 'names of processes' } },
});

export interface LeaseOptions {
  readonly name: string;
  /** Name of the holder that the CLI shows. Default: host and process id. */
  readonly holder?: string;
  /** How long the lease lasts without renewal, and so how long a standby waits after a crash. */
  readonly ttlMs?: number;
  readonly renewEveryMs?: number;
  /** Stops waiting for the lease. A lease that is held already is ended by `release`. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface Lease {
  readonly name: string;
  readonly token: number;
  /** Fires when the lease may no longer be held: stop working, then acquire it again. */
  readonly lost: AbortSignal;
  /** Releases the lease, so that a standby takes over at once. Safe to call twice. */
  release(): Promise<void>;
}

/** The lease has another holder: do not commit the current work. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`lease ${name} is held by another process`);
    this.name = 'LeaseLost';
  }
}

/** Each with its token and its end: it is the same claim as long as these are. */
const CLAIM = `name || ' ' || token || ' ' || expires_at`;
const FAR = `
  select ${CLAIM} as claim from ops.leases
  where name = any ($1) and expires_at > clock_timestamp() + $2 * interval '1 millisecond'`;
/** SQL: nobody has the lease. @param outlived the parameter with what `outlivedLeases` returns */
export const isFree = (outlived: string): string =>
  `(expires_at < clock_timestamp() or ${CLAIM} = any (${outlived}::text[]))`;

/** Claims of leases that a wrong clock has made. */
export const outlivedLeases = (pool: Pool, names: readonly string[], ttlMs: number) =>
  outlivedClaims(ttlMs, async () =>
    (await pool.query<{ claim: string }>(FAR, [names, ttlMs])).rows.map(({ claim }) => claim),
  );

/**
 * A takeover needs the row for itself (`for update`), a renewal does not: so a transaction that has checked the lease
 * (`for key share`) keeps others from taking it, and lets its holder renew. Nobody waits, because the connection is
 * shared: who finds the row locked tries again later.
 */
const TAKE = `
  with made as (
    insert into ops.leases (name, holder, token, expires_at)
    values ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
    on conflict (name) do nothing
    returning token
  ), free as (
    select name from ops.leases where name = $1 and ${isFree('$4')} for update skip locked
  ), taken as (
    update ops.leases as lease
    set holder = $2, token = lease.token + 1, expires_at = clock_timestamp() + $3 * interval '1 millisecond'
    from free where lease.name = free.name
    returning lease.token
  )
  select token from made union all select token from taken`;
const RENEW = `
  update ops.leases set expires_at = clock_timestamp() + $3 * interval '1 millisecond'
  where name = $1 and token = $2`;
const RELEASE = `update ops.leases set expires_at = '-infinity' where name = $1 and token = $2`;

/** How long a lease lasts without renewal, unless the caller says otherwise. */
export const LEASE_MS = 5_000;
/** SQL: somebody has a lease of the usual length. */
export const IS_HELD = isClaimed('expires_at', `interval '${LEASE_MS} milliseconds'`);
/** How often a standby tries to acquire the lease. Short, so that it takes over soon after a clean release. */
const POLL_MS = 200;

/** The connections for leases, each beside the pool that does the work. */
const connections = new WeakMap<Pool, { readonly pool: Pool; users: number }>();
const QUERY_TIMEOUT_MS = 2_000;

/** Opens the connection for leases beside `pool`, or shares the one that is open. It closes with its last user. */
export const shareConnection = (pool: Pool, log: Logger): { readonly pool: Pool; leave(): Promise<void> } => {
  const [statementTimeoutMs, answerTimeoutMs] = [QUERY_TIMEOUT_MS, QUERY_TIMEOUT_MS];
  const options = { max: 1, applicationName: 'leases', statementTimeoutMs, answerTimeoutMs, log };
  const connection = connections.get(pool) ?? { pool: besidePool(pool, options), users: 0 };
  connections.set(pool, connection);
  connection.users += 1;
  let left = false;
  return {
    pool: connection.pool,
    leave: async () => {
      if (left) return;
      left = true;
      connection.users -= 1;
      if (connection.users > 0) return;
      connections.delete(pool);
      await connection.pool.end();
    },
  };
};

/** Names this process, and its use of a lease among others. */
export const holderName = (): string => `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

/**
 * Waits, as a standby, until the lease is free and takes it. `undefined` when `signal` fired first.
 * @param work the pool of the work that the lease is for
 */
export const acquireLease = async (work: Pool, options: LeaseOptions): Promise<Lease | undefined> => {
  const { pool, leave } = shareConnection(work, options.log);
  const holder = options.holder ?? holderName();
  const ttlMs = options.ttlMs ?? LEASE_MS;
  const outlived = outlivedLeases(pool, [options.name], ttlMs);
  const take = async () => pool.query<{ token: number }>(TAKE, [options.name, holder, ttlMs, await outlived()]);
  while (!options.signal.aborted) {
    // Counted from before the request, so that the lease never lasts longer by our clock than by the database's.
    const askedAt = performance.now();
    const taken = await take().catch((err: unknown) => {
      options.log.warn({ err, lease: options.name }, 'cannot request the lease');
      return undefined;
    });
    const token = taken?.rows[0]?.token;
    if (token !== undefined) {
      options.log.info({ lease: options.name, fencing: token }, 'lease acquired');
      return hold(pool, { ...options, token, ttlMs, askedAt, leave });
    }
    await sleep(POLL_MS, options.signal);
  }
  await leave();
  return undefined;
};

interface Held extends LeaseOptions {
  readonly token: number;
  readonly ttlMs: number;
  readonly askedAt: number;
  /** Gives up the connection. */
  leave(): Promise<void>;
}

const hold = (pool: Pool, held: Held): Lease => {
  const { name, token, ttlMs, log } = held;
  const lost = new AbortController();
  const ended = new AbortController();
  let released = false;
  const lose = (why: string) => {
    if (lost.signal.aborted || ended.signal.aborted) return;
    log.warn({ lease: name, fencing: token }, `lease lost: ${why}`);
    lost.abort();
    ended.abort();
  };
  const sureUntil = (askedAt: number) =>
    setTimeout(() => lose('not renewed in time'), Math.max(0, askedAt + ttlMs - performance.now()));
  let expiry = sureUntil(held.askedAt);

  const renewing = (async () => {
    for (;;) {
      await sleep(held.renewEveryMs ?? ttlMs / 4, ended.signal);
      if (ended.signal.aborted) return;
      const askedAt = performance.now();
      try {
        const renewed = await pool.query(RENEW, [name, token, ttlMs]);
        if (renewed.rowCount === 0) return lose('taken by another process');
        clearTimeout(expiry);
        if (!ended.signal.aborted) expiry = sureUntil(askedAt);
      } catch (err) {
        log.warn({ err, lease: name }, 'cannot renew the lease');
      }
    }
  })();

  return {
    name,
    token,
    lost: lost.signal,
    release: async () => {
      ended.abort();
      clearTimeout(expiry);
      await renewing;
      clearTimeout(expiry);
      if (released) return;
      released = true;
      await pool
        .query(RELEASE, [name, token])
        .catch((err: unknown) => log.warn({ err, lease: name }, 'lease not released: it will expire'));
      await held.leave();
    },
  };
};

/**
 * Call inside the transaction that does the work. Throws `LeaseLost` when another process has taken over; otherwise
 * nobody can take over until the transaction ends.
 */
export const assertLease = async (client: Queryable, name: string, token: number): Promise<void> => {
  const found = await client.query<{ token: number }>('select token from ops.leases where name = $1 for key share', [
    name,
  ]);
  if (found.rows[0]?.token !== token) throw new LeaseLost(name);
};
