/**
 * Access tokens: signed here, verified on every node, and revoked on all nodes at once. A token is valid while its
 * session is open and its version is the account's. Both are stored in `ops`, so that one indexed query checks them.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import { newId } from './ids.ts';
import { migrations } from './migrations.ts';
import type { Queryable } from './postgres.ts';

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
  holds: {
    'ops.sessions': { person: 'account_id', exported: ['started_at', 'expires_at', 'ended_at'], erased: 'deleted' },
    'ops.token_versions': { nothing: 'which tokens of an id are valid' },
    'ops.refresh_tokens': { nothing: 'hashes, which are deleted with their session' },
  },
});

/** NOTIFY channel; the payload is `Ended` as JSON. Check the open connections of that account again (`checkSession`). */
export const SESSIONS_CHANNEL = 'sessions';
export interface Ended {
  readonly accountId: string;
  /** null means all sessions of an older token version. */
  readonly sessionId: string | null;
}

/** In seconds. */
export const ACCESS_TOKEN_TTL = 3_600;

/** How long a proof of identity is fresh, in seconds. */
export const PROOF_TTL = 300;

const ISSUER = 'resort-booking-platform';
const AUDIENCE = 'resort-api';
const ALGORITHM = 'HS256';

export interface TokenSecrets {
  /** Signs new tokens, and is tried first to verify. */
  readonly jwtSecret: string;
  /** Still verifies tokens while the secret is being rotated. */
  readonly jwtSecretPrevious: string | undefined;
}

/** What a token has to match, besides its signature. */
export interface Session {
  readonly accountId: string;
  readonly sessionId: string;
  readonly tokenVersion: number;
}

export interface Access extends Session {
  /** The role when the token was signed; a new role is in the next token. */
  readonly role: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** `replaced`: the session is open, but tokens of a newer version exist: a refresh gives one. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly reason: 'invalid' | 'expired' | 'replaced' | 'ended';
  constructor(reason: TokenRefused['reason']) {
    super(`access token ${reason}`);
    this.reason = reason;
  }
}

const keyOf = (secret: string) => createSecretKey(Buffer.from(secret));

export const signAccessToken = (secrets: TokenSecrets, access: Omit<Access, 'expiresAt'>): Promise<string> =>
  new SignJWT({ role: access.role, sid: access.sessionId, tv: access.tokenVersion })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(access.accountId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setJti(newId())
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_TTL} s`)
    .sign(keyOf(secrets.jwtSecret));

const verifySignature = async (secret: string, token: string) => {
  const { payload } = await jwtVerify(token, keyOf(secret), {
    algorithms: [ALGORITHM],
    issuer: ISSUER,
    audience: AUDIENCE,
    requiredClaims: ['sub', 'exp', 'sid', 'tv', 'role'],
  });
  return payload;
};

const verifyWithEither = async ({ jwtSecret, jwtSecretPrevious }: TokenSecrets, token: string) => {
  try {
    return await verifySignature(jwtSecret, token);
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || jwtSecretPrevious === undefined) throw error;
    return await verifySignature(jwtSecretPrevious, token);
  }
};

const decode = async (secrets: TokenSecrets, token: string): Promise<Access> => {
  try {
    const claims = await verifyWithEither(secrets, token);
    return {
      accountId: String(claims.sub),
      role: String(claims.role),
      sessionId: String(claims.sid),
      tokenVersion: Number(claims.tv),
      expiresAt: Number(claims.exp) * 1_000,
    };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new TokenRefused('expired');
    if (error instanceof errors.JOSEError) throw new TokenRefused('invalid');
    throw error;
  }
};

export interface SessionCheck {
  /** `replaced`: the session is open, but this token version is no longer accepted. */
  readonly state: 'live' | 'replaced' | 'ended';
  /** When the person last proved who they are, by signing in or later. Milliseconds since 1970. */
  readonly provedAt: number;
}

/** Whether the session is still open, and its tokens not revoked. */
export const checkSession = async (
  db: Queryable,
  { accountId, sessionId, tokenVersion }: Session,
): Promise<SessionCheck> => {
  const { rows } = await db.query<{ version: number; proved_at: string }>(
    `select coalesce(v.version, 0) as version, greatest(s.started_at, s.proved_at) as proved_at
     from ops.sessions s left join ops.token_versions v using (account_id)
     where s.id = $1 and s.account_id = $2 and s.ended_at is null`,
    [sessionId, accountId],
  );
  const found = rows[0];
  if (!found) return { state: 'ended', provedAt: 0 };
  return { state: found.version === tokenVersion ? 'live' : 'replaced', provedAt: Date.parse(found.proved_at) };
};

/**
 * Verifies an access token and returns its owner.
 * @throws TokenRefused when it was not signed by us, has expired or was replaced, or its session has ended
 */
export const verifyAccessToken = async (
  deps: { readonly pool: Queryable; readonly secrets: TokenSecrets },
  token: string,
): Promise<Access & Pick<SessionCheck, 'provedAt'>> => {
  const access = await decode(deps.secrets, token);
  const { state, provedAt } = await checkSession(deps.pool, access);
  if (state !== 'live') throw new TokenRefused(state);
  return { ...access, provedAt };
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

/**
 * Whether the token was signed with one of our secrets and has not expired. Use it to reject early where waiting is
 * impossible; `verifyAccessToken` remains the complete check.
 */
export const isPlausible = ({ jwtSecret, jwtSecretPrevious }: TokenSecrets, token: string): boolean => {
  const [header, claims, signature = ''] = token.split('.');
  const given = Buffer.from(signature, 'base64url');
  const signed = [jwtSecret, jwtSecretPrevious].some((secret) => {
    if (secret === undefined) return false;
    const expected = createHmac('sha256', secret).update(`${header}.${claims}`).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return signed && (decodeJwt(token).exp ?? 0) * 1_000 > Date.now();
};

const payload = (ended: Ended): string => JSON.stringify(ended);

/** Ends one session: its access and refresh tokens stop working on every node. */
export const endSession = async (db: Queryable, accountId: string, sessionId: string): Promise<void> => {
  await db.query(
    `with ended as (update ops.sessions set ended_at = now() where id = $1 and account_id = $2 and ended_at is null)
     select pg_notify('${SESSIONS_CHANNEL}', $3)`,
    [sessionId, accountId, payload({ accountId, sessionId })],
  );
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

/** Deletes sessions, with their refresh tokens, whose last token expired more than an hour ago. */
export const pruneSessions = async (db: Queryable): Promise<void> => {
  await db.query(`delete from ops.sessions where expires_at < now() - interval '1 hour'`);
};
