/**
 * Access tokens: signed here, verified on every node, and revoked on all nodes at once. A token is valid while its
 * session is open and its version is the account's. Both are stored in `ops`, so that one indexed query checks them.
 */
import { type webcrypto as crypto, subtle } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { newId } from './ids.ts';
import type { Queryable } from './postgres.ts';
import { checkSession, type Session, type SessionCheck } from './sessions.ts';
import { isStoreAway } from './storeFaults.ts';

/** In seconds. */
export const ACCESS_TOKEN_TTL = 3_600;

const DEVICE_TOKEN_TTL = '365 d';

/** How long a proof of identity is fresh, in seconds. */
export const PROOF_TTL = 300;

const ISSUER = 'resort-booking-platform';
/** Of the tokens that recognise a device. */
const DEVICE_AUDIENCE = 'resort-device';
const AUDIENCE = 'resort-api';
const ALGORITHM = 'HS256';

export interface TokenSecrets {
  /** Signs new tokens, and is tried first to verify. */
  readonly jwtSecret: string;
  /** Still verifies tokens while the secret is being rotated. */
  readonly jwtSecretPrevious: string | undefined;
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

interface Keys {
  readonly current: crypto.CryptoKey;
  readonly previous: crypto.CryptoKey | undefined;
}
const keyOf = (secret: string): Promise<crypto.CryptoKey> =>
  subtle.importKey('raw', Buffer.from(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

const imported = new WeakMap<TokenSecrets, Promise<Keys>>();
const importKeys = async ({ jwtSecret, jwtSecretPrevious }: TokenSecrets): Promise<Keys> => ({
  current: await keyOf(jwtSecret),
  previous: jwtSecretPrevious === undefined ? undefined : await keyOf(jwtSecretPrevious),
});
/** The secrets as jose takes them, which takes longer than to verify a token. */
const keysOf = (secrets: TokenSecrets): Promise<Keys> => {
  const keys = imported.get(secrets) ?? importKeys(secrets);
  imported.set(secrets, keys);
  return keys;
};

export const signAccessToken = async (secrets: TokenSecrets, access: Omit<Access, 'expiresAt'>): Promise<string> =>
  new SignJWT({ role: access.role, sid: access.sessionId, tv: access.tokenVersion })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(access.accountId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setJti(newId())
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_TTL} s`)
    .sign((await keysOf(secrets)).current);

type Claims = { readonly audience: string; readonly requiredClaims: string[] };
const ACCESS_CLAIMS: Claims = { audience: AUDIENCE, requiredClaims: ['sub', 'exp', 'sid', 'tv', 'role'] };
const DEVICE_CLAIMS: Claims = { audience: DEVICE_AUDIENCE, requiredClaims: ['sub', 'exp', 'jti'] };

/** The claims of a token that was signed with one of the secrets. @throws JOSEError */
const verify = async (
  secrets: TokenSecrets,
  token: string,
  claims: Claims & { readonly clockTolerance?: number },
): Promise<JWTPayload> => {
  const { current, previous } = await keysOf(secrets);
  const rules = { algorithms: [ALGORITHM], issuer: ISSUER, ...claims };
  try {
    return (await jwtVerify(token, current, rules)).payload;
  } catch (error) {
    if (previous === undefined || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return (await jwtVerify(token, previous, rules)).payload;
  }
};

/** A device that signed in to an account before. */
export interface Device {
  readonly accountId: string;
  readonly deviceId: string;
}

/** Proves later that the device signed in to the account before. It is no credential: it only lifts limits. */
export const signDeviceToken = async (secrets: TokenSecrets, { accountId, deviceId }: Device): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(accountId)
    .setIssuer(ISSUER)
    .setAudience(DEVICE_AUDIENCE)
    .setJti(deviceId)
    .setIssuedAt()
    .setExpirationTime(DEVICE_TOKEN_TTL)
    .sign((await keysOf(secrets)).current);

/** The device of the token; null when it was not signed by us or has expired. */
export const verifyDeviceToken = async (secrets: TokenSecrets, token: string): Promise<Device | null> => {
  try {
    const claims = await verify(secrets, token, DEVICE_CLAIMS);
    return { accountId: String(claims.sub), deviceId: String(claims.jti) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
};

const decode = async (secrets: TokenSecrets, token: string, graceMs: number): Promise<Access> => {
  try {
    const claims = await verify(secrets, token, { ...ACCESS_CLAIMS, clockTolerance: graceMs / 1_000 });
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

/**
 * Tokens that were verified, by the secrets that did: nothing that changes later is in them but whether they expired. To
 * verify each request would cost a half of what it takes to answer a small one (`docs/decisions/0058-tokens-by-jose.md`).
 */
const KNOWN_TOKENS = 10_000;
const known = new WeakMap<TokenSecrets, LRUCache<string, Access>>();

const accessOf = async (secrets: TokenSecrets, token: string, graceMs = 0): Promise<Access> => {
  const tokens = known.get(secrets) ?? new LRUCache<string, Access>({ max: KNOWN_TOKENS });
  known.set(secrets, tokens);
  const access = tokens.get(token) ?? (await decode(secrets, token, graceMs));
  // In whole seconds, as its claims are.
  if (access.expiresAt + graceMs <= Math.floor(Date.now() / 1_000) * 1_000) throw new TokenRefused('expired');
  tokens.set(token, access);
  return access;
};

/** Forgets a token that nobody will ask for again: what is known of it takes half a kilobyte. */
export const forgetToken = (secrets: TokenSecrets, token: string): void => void known.get(secrets)?.delete(token);

/**
 * Verifies an access token and returns its owner.
 * @throws TokenRefused when it was not signed by us, has expired or was replaced, or its session has ended
 */
export const verifyAccessToken = async (
  deps: { readonly pool: Queryable; readonly secrets: TokenSecrets },
  token: string,
): Promise<Access & Pick<SessionCheck, 'provedAt'>> => {
  const access = await accessOf(deps.secrets, token);
  const { state, provedAt } = await checkSession(deps.pool, access);
  if (state !== 'live') throw new TokenRefused(state);
  return { ...access, provedAt };
};

/**
 * The account of an access token that we have signed and that has not expired, whether or not its session has ended; null:
 * it is no such token. It proves who once signed in, and gives no access.
 */
export const formerOwnerOf = async (secrets: TokenSecrets, token: string): Promise<string | null> => {
  try {
    return (await accessOf(secrets, token)).accountId;
  } catch (error) {
    if (error instanceof TokenRefused) return null;
    throw error;
  }
};

/** How long after its end an access token is still accepted in an emergency, in milliseconds. Sessions are kept as long. */
export const EMERGENCY_GRACE_MS = 24 * 3_600_000;

/** What is assumed of a session while the database cannot be asked. */
const orAssumed = (error: unknown): SessionCheck => {
  if (!isStoreAway(error)) throw error;
  return { state: 'live', provedAt: 0 };
};

/**
 * The same for an emergency: also a token that has expired within a day, or was replaced by one of another role. While the
 * database is away, its signature is enough.
 * @throws TokenRefused when it was not signed by us, has expired before, or its session has ended
 */
export const verifyForEmergency: typeof verifyAccessToken = async (deps, token) => {
  const access = await accessOf(deps.secrets, token, EMERGENCY_GRACE_MS);
  const { state, provedAt } = await checkSession(deps.pool, access).catch(orAssumed);
  if (state === 'ended') throw new TokenRefused(state);
  return { ...access, provedAt };
};
