/**
 * Leases: one active process per task. A lease is a row with an expiry by the database's clock and a fencing token that
 * grows with every change of holder: work done under a lease checks its token in the same transaction (`assertLease`),
 * so that a holder that was frozen and continues later cannot write.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from './log.ts';
import { migrations } from './migrations.ts';
import type { Pool, Queryable } from './postgres.ts';
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

const TAKE = `
  insert into ops.leases as lease (name, holder, token, expires_at)
  values ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
  on conflict (name) do update
    set holder = excluded.holder, token = lease.token + 1, expires_at = excluded.expires_at
    where lease.expires_at < clock_timestamp()
  returning token`;
const RENEW = `
  update ops.leases set expires_at = clock_timestamp() + $3 * interval '1 millisecond'
  where name = $1 and token = $2`;
const RELEASE = `update ops.leases set expires_at = '-infinity' where name = $1 and token = $2`;

/** How often a standby tries to acquire the lease. Short, so that it takes over soon after a clean release. */
const POLL_MS = 200;

/** Waits, as a standby, until the lease is free and takes it. `undefined` when `signal` fired first. */
export const acquireLease = async (pool: Pool, options: LeaseOptions): Promise<Lease | undefined> => {
  const holder = options.holder ?? `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const ttlMs = options.ttlMs ?? 5_000;
  while (!options.signal.aborted) {
    // Counted from before the request, so that the lease never lasts longer by our clock than by the database's.
    const askedAt = performance.now();
    const taken = await pool.query<{ token: number }>(TAKE, [options.name, holder, ttlMs]).catch((err: unknown) => {
      options.log.warn({ err, lease: options.name }, 'cannot request the lease');
      return undefined;
    });
    const token = taken?.rows[0]?.token;
    if (token !== undefined) {
      options.log.info({ lease: options.name, fencing: token }, 'lease acquired');
      return hold(pool, { ...options, token, ttlMs, askedAt });
    }
    await sleep(POLL_MS, options.signal);
  }
  return undefined;
};

const hold = (pool: Pool, held: LeaseOptions & { token: number; ttlMs: number; askedAt: number }): Lease => {
  const { name, token, ttlMs, log } = held;
  const lost = new AbortController();
  const ended = new AbortController();
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
      await pool
        .query(RELEASE, [name, token])
        .catch((err: unknown) => log.warn({ err, lease: name }, 'lease not released: it will expire'));
    },
  };
};

/**
 * Call inside the transaction that does the work. Throws `LeaseLost` when another process has taken over; otherwise
 * nobody can take over until the transaction ends.
 */
export const assertLease = async (client: Queryable, name: string, token: number): Promise<void> => {
  const found = await client.query<{ token: number }>('select token from ops.leases where name = $1 for share', [name]);
  if (found.rows[0]?.token !== token) throw new LeaseLost(name);
};
