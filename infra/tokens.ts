/**
 * Access tokens: signed here, verified on every node, and revoked on all nodes at once. A token is valid while its
 * session is open and its version is the account's. Both are stored in `ops`, so that one indexed query checks them.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import { newId } from './ids.ts';
import type { Queryable } from './postgres.ts';
import { checkSession, type Session, type SessionCheck } from './sessions.ts';

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

type Claims = { readonly audience: string; readonly requiredClaims: string[] };
const ACCESS_CLAIMS: Claims = { audience: AUDIENCE, requiredClaims: ['sub', 'exp', 'sid', 'tv', 'role'] };
const DEVICE_CLAIMS: Claims = { audience: DEVICE_AUDIENCE, requiredClaims: ['sub', 'exp', 'jti'] };

const verifySignature = async (secret: string, token: string, claims: Claims) => {
  const options = { algorithms: [ALGORITHM], issuer: ISSUER, ...claims };
  return (await jwtVerify(token, keyOf(secret), options)).payload;
};

const verifyWithEither = async ({ jwtSecret, jwtSecretPrevious }: TokenSecrets, token: string, claims: Claims) => {
  try {
    return await verifySignature(jwtSecret, token, claims);
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || jwtSecretPrevious === undefined) throw error;
    return await verifySignature(jwtSecretPrevious, token, claims);
  }
};

/** A device that signed in to an account before. */
export interface Device {
  readonly accountId: string;
  readonly deviceId: string;
}

/** Proves later that the device signed in to the account before. It is no credential: it only lifts limits. */
export const signDeviceToken = (secrets: TokenSecrets, { accountId, deviceId }: Device): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(accountId)
    .setIssuer(ISSUER)
    .setAudience(DEVICE_AUDIENCE)
    .setJti(deviceId)
    .setIssuedAt()
    .setExpirationTime(DEVICE_TOKEN_TTL)
    .sign(keyOf(secrets.jwtSecret));

/** The device of the token; null when it was not signed by us or has expired. */
export const verifyDeviceToken = async (secrets: TokenSecrets, token: string): Promise<Device | null> => {
  try {
    const claims = await verifyWithEither(secrets, token, DEVICE_CLAIMS);
    return { accountId: String(claims.sub), deviceId: String(claims.jti) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
};

const decode = async (secrets: TokenSecrets, token: string): Promise<Access> => {
  try {
    const claims = await verifyWithEither(secrets, token, ACCESS_CLAIMS);
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
