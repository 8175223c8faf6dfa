/**
 * Sessions: opened by a sign-in, and ended on all nodes at once. The token version of an account says which of its access
 * tokens are accepted. Both are stored in `ops`, so that one indexed query checks a token.
 */
import { gatherBy } from './gather.ts';
import { migrations } from './migrations.ts';
import { anyNumberOf, type Queryable } from './postgres.ts';

export const tokenMigrations = migrations('accounts', {
  '0001_sessions': `
    create table ops.sessions (
      id uuid primary key,
      account_id uuid not null,
      token_version integer not null,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz
    );
    create index sessions_account on ops.sessions (account_id);
    create index sessions_expires_at on ops.sessions (expires_at);
    create table ops.token_versions (account_id uuid primary key, version integer not null);
    create table ops.refresh_tokens (
      hash bytea primary key,
      session_id uuid not null references ops.sessions (id) on delete cascade,
      expires_at timestamptz not null,
      replaced_at timestamptz
    );
    create index refresh_tokens_session on ops.refresh_tokens (session_id);
  `,
  '0002_session_proofs': `
    -- When the person last proved who they are, after the sign-in that started the session.
    alter table ops.sessions add column proved_at timestamptz;
  `,
  personalData: {
    // They are deleted, with their refresh tokens, once none of their tokens is accepted: an access token that was issued at
    // the end lasts an hour (`ACCESS_TOKEN_TTL`), and a day longer in an emergency (`EMERGENCY_GRACE_MS`).
    'ops.sessions': {
      whose: 'account_id',
      exported: ['started_at', 'expires_at', 'ended_at'],
      erased: 'deleted',
      why: {
        purpose: 'keep people signed in, and let them end what they do not know',
        basis: 'contract',
        seenBy: ['self'],
      },
      retention: [{ after: 'expires_at', hours: 25 }],
    },
    'ops.token_versions': { nothing: 'which tokens of an id are valid' },
    'ops.refresh_tokens': {
      nothing: 'hashes, which are deleted with their session',
      retention: { until: 'the session is deleted' },
    },
  },
});

/** NOTIFY channel; the payload is `Ended` as JSON. Check the open connections of that account again (`checkSession`). */
export const SESSIONS_CHANNEL = 'sessions';
export interface Ended {
  readonly accountId: string;
  /** null means all sessions of an older token version. */
  readonly sessionId: string | null;
}

/** What a token has to match, besides its signature. */
export interface Session {
  readonly accountId: string;
  readonly sessionId: string;
  readonly tokenVersion: number;
}

export interface SessionCheck {
  /** `replaced`: the session is open, but this token version is no longer accepted. */
  readonly state: 'live' | 'replaced' | 'ended';
  /** When the person last proved who they are, by signing in or later. Milliseconds since 1970. */
  readonly provedAt: number;
}

interface Found {
  /** Null: the session has ended, or it never was one of this account. */
  readonly version: number | null;
  readonly proved_at: string | null;
}

const CHECKS_AT_ONCE = 200;

/** Checks of one database, in one statement for all of one turn of the event loop. */
const check = gatherBy(async (db: Queryable, sessions: readonly Session[]) => {
  const { rows } = await db.query<Found>(
    `select case when s.id is not null then coalesce(v.version, 0) end as version,
       greatest(s.started_at, s.proved_at) as proved_at
     from unnest(${anyNumberOf('$1', 'uuid')}, ${anyNumberOf('$2', 'uuid')}) with ordinality as asked (id, account_id, n)
     left join lateral ( -- one by one: together, the whole table would be read
       select id, account_id, started_at, proved_at from ops.sessions
       where id = asked.id and account_id = asked.account_id and ended_at is null
       offset 0) s on true
     left join ops.token_versions v on v.account_id = s.account_id
     order by asked.n`,
    [sessions.map(({ sessionId }) => sessionId), sessions.map(({ accountId }) => accountId)],
  );
  return rows;
}, CHECKS_AT_ONCE);

/** Whether the session is still open, and its tokens not revoked, as the database knows it now. */
export const checkSession = async (db: Queryable, session: Session): Promise<SessionCheck> => {
  const { version, proved_at } = await check(db, session);
  if (version === null || proved_at === null) return { state: 'ended', provedAt: 0 };
  return { state: version === session.tokenVersion ? 'live' : 'replaced', provedAt: Date.parse(proved_at) };
};

/** The token version that a session began with; undefined: it has ended, or it never was one of this account. */
export const versionOfOpenSession = async (
  db: Queryable,
  { accountId, sessionId }: Pick<Session, 'accountId' | 'sessionId'>,
): Promise<number | undefined> => {
  const { rows } = await db.query<{ token_version: number }>(
    `select token_version from ops.sessions
     where id = $1 and account_id = $2 and ended_at is null and expires_at > now()`,
    [sessionId, accountId],
  );
  return rows[0]?.token_version;
};

/** The holder of this session has just proved who they are. `at` as RFC 3339. */
export const recordProof = async (
  db: Queryable,
  { accountId, sessionId }: Pick<Session, 'accountId' | 'sessionId'>,
  at: string,
): Promise<void> => {
  await db.query('update ops.sessions set proved_at = $3 where id = $1 and account_id = $2 and ended_at is null', [
    sessionId,
    accountId,
    at,
  ]);
};

const payload = (ended: Ended): string => JSON.stringify(ended);

/** Ends one session: its access and refresh tokens stop working on every node. @returns false if it had ended before */
export const endSession = async (db: Queryable, accountId: string, sessionId: string): Promise<boolean> => {
  const { rows } = await db.query<{ is_ended: boolean }>(
    `with ended as (
       update ops.sessions set ended_at = now() where id = $1 and account_id = $2 and ended_at is null returning 1
     ), told as (select pg_notify('${SESSIONS_CHANNEL}', $3))
     select exists (select from ended) as is_ended from told`,
    [sessionId, accountId, payload({ accountId, sessionId })],
  );
  return rows[0]?.is_ended ?? false;
};

/**
 * Accepts only tokens of `version` from now on, and ends the sessions that began with an older one unless they `stay`.
 * Safe to repeat in any order: a version never decreases.
 */
export const raiseTokenVersion = async (
  db: Queryable,
  accountId: string,
  version: number,
  sessions: 'end' | 'stay',
): Promise<void> => {
  await db.query(
    `with raised as (
       insert into ops.token_versions as v (account_id, version) values ($1, $2)
       on conflict (account_id) do update set version = greatest(v.version, excluded.version)
     ), ended as (
       update ops.sessions set ended_at = now()
       where $4 and account_id = $1 and token_version < $2 and ended_at is null
     ) select pg_notify('${SESSIONS_CHANNEL}', $3)`,
    [accountId, version, payload({ accountId, sessionId: null }), sessions === 'end'],
  );
};
