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
});

/** NOTIFY channel; the payload is `Ended` as JSON. Check the open connections of that account again (`isLive`). */
export const SESSIONS_CHANNEL = 'sessions';
export interface Ended {
  readonly accountId: string;
  /** null means all sessions of an older token version. */
  readonly sessionId: string | null;
}

/** In seconds. */
export const ACCESS_TOKEN_TTL = 3_600;

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

export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly reason: 'invalid' | 'expired' | 'ended';
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

/** Whether the session is still open, and its tokens not revoked. */
export const isLive = async (db: Queryable, { accountId, sessionId, tokenVersion }: Session): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select 1 from ops.sessions s left join ops.token_versions v using (account_id)
     where s.id = $1 and s.account_id = $2 and s.ended_at is null and coalesce(v.version, 0) = $3`,
    [sessionId, accountId, tokenVersion],
  );
  return rowCount === 1;
};

/**
 * Verifies an access token and returns its owner.
 * @throws TokenRefused when it was not signed by us, has expired, or its session has ended or been revoked
 */
export const verifyAccessToken = async (
  deps: { readonly pool: Queryable; readonly secrets: TokenSecrets },
  token: string,
): Promise<Access> => {
  const access = await decode(deps.secrets, token);
  if (!(await isLive(deps.pool, access))) throw new TokenRefused('ended');
  return access;
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

/** Accepts only tokens of `version` from now on. Safe to repeat in any order: a version never decreases. */
export const raiseTokenVersion = async (db: Queryable, accountId: string, version: number): Promise<void> => {
  await db.query(
    `with raised as (
       insert into ops.token_versions as v (account_id, version) values ($1, $2)
       on conflict (account_id) do update set version = greatest(v.version, excluded.version)
     ) select pg_notify('${SESSIONS_CHANNEL}', $3)`,
    [accountId, version, payload({ accountId, sessionId: null })],
  );
};

/** Deletes sessions, with their refresh tokens, whose last token expired more than an hour ago. */
export const pruneSessions = async (db: Queryable): Promise<void> => {
  await db.query(`delete from ops.sessions where expires_at < now() - interval '1 hour'`);
};
