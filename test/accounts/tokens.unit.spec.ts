/** Access tokens: what is accepted, and what is asked each time although the token is known. */
import { createSecretKey, subtle } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../infra/ids.ts';
import type { Queryable } from '../../infra/postgres.ts';
import {
  ACCESS_TOKEN_TTL,
  EMERGENCY_GRACE_MS,
  forgetToken,
  formerOwnerOf,
  signAccessToken,
  signDeviceToken,
  type TokenSecrets,
  verifyAccessToken,
  verifyDeviceToken,
  verifyForEmergency,
} from '../../infra/tokens.ts';

const SECRET = 'a secret of more than thirty-two bytes';
const secretsOf = (jwtSecret: string, jwtSecretPrevious?: string): TokenSecrets => ({ jwtSecret, jwtSecretPrevious });
const secrets = secretsOf(SECRET);
const access = { accountId: newId(), role: 'tourist', sessionId: newId(), tokenVersion: 3 };

/** A database with one open session of this version. It counts how often it was asked. */
const sessions = (version = access.tokenVersion) => {
  const db = { asked: 0, version, query: vi.fn() };
  db.query.mockImplementation(async () => {
    db.asked += 1;
    return { rows: [{ version: db.version, proved_at: '2026-11-20T10:00:00.000Z' }] };
  });
  return db;
};
const verify = (db: ReturnType<typeof sessions>, token: string, by = secrets) =>
  verifyAccessToken({ pool: db as unknown as Queryable, secrets: by }, token);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T12:00:00.400Z') }));
afterEach(() => void vi.useRealTimers());

describe('an access token', () => {
  it('names its account, role and session, and when it expires', async () => {
    const token = await signAccessToken(secrets, access);
    const expiresAt = Date.parse('2026-11-20T12:00:00Z') + ACCESS_TOKEN_TTL * 1_000;
    expect(await verify(sessions(), token)).toEqual({
      ...access,
      expiresAt,
      provedAt: Date.parse('2026-11-20T10:00:00Z'),
    });
  });

  it('is checked against its session each time, also when it is known', async () => {
    const db = sessions();
    const token = await signAccessToken(secrets, access);
    await verify(db, token);
    await verify(db, token);
    expect(db.asked).toBe(2);
    db.version += 1;
    await expect(verify(db, token)).rejects.toMatchObject({ reason: 'replaced' });
  });

  it('expires, also when it is known', async () => {
    const [db, token] = [sessions(), await signAccessToken(secrets, access)];
    vi.setSystemTime(Date.parse('2026-11-20T12:59:59.999Z'));
    await verify(db, token);
    vi.setSystemTime(Date.parse('2026-11-20T13:00:00.000Z'));
    await expect(verify(db, token)).rejects.toMatchObject({ reason: 'expired' });
    expect(await formerOwnerOf(secrets, token)).toBeNull();
    expect(db.asked).toBe(1);
  });

  it('is verified again once it was forgotten', async () => {
    const token = await signAccessToken(secrets, access);
    const verified = vi.spyOn(subtle, 'verify');
    const times = async () => (await formerOwnerOf(secrets, token)) && verified.mock.calls.length;
    expect([await times(), await times()]).toEqual([1, 1]);
    forgetToken(secrets, token);
    expect(await times()).toBe(2);
    verified.mockRestore();
  });

  it('is accepted with the previous secret while secrets are being changed, and then no more', async () => {
    const token = await signAccessToken(secretsOf('the former secret of 32 and more bytes'), access);
    const during = secretsOf(SECRET, 'the former secret of 32 and more bytes');
    expect(await verify(sessions(), token, during)).toMatchObject(access);
    await expect(verify(sessions(), token)).rejects.toMatchObject({ reason: 'invalid' });
  });
});

describe('in an emergency', () => {
  const verifyNow = (db: ReturnType<typeof sessions>, token: string) =>
    verifyForEmergency({ pool: db as unknown as Queryable, secrets }, token);
  const end = Date.parse('2026-11-20T13:00:00.000Z');

  it('a token is accepted for a day after its end, and nowhere else', async () => {
    const [db, token] = [sessions(), await signAccessToken(secrets, access)];
    vi.setSystemTime(end + EMERGENCY_GRACE_MS - 1_000);
    expect(await verifyNow(db, token)).toMatchObject(access);
    await expect(verify(db, token)).rejects.toMatchObject({ reason: 'expired' });
    expect(await formerOwnerOf(secrets, token)).toBeNull();
    vi.setSystemTime(end + EMERGENCY_GRACE_MS);
    await expect(verifyNow(db, token)).rejects.toMatchObject({ reason: 'expired' });
  });

  it('a token of a former role is accepted, one of an ended session is not', async () => {
    const [db, token] = [sessions(access.tokenVersion + 1), await signAccessToken(secrets, access)];
    expect(await verifyNow(db, token)).toMatchObject(access);
    db.query.mockResolvedValue({ rows: [{ version: null, proved_at: null }] });
    await expect(verifyNow(db, token)).rejects.toMatchObject({ reason: 'ended' });
  });

  it('a token of others is refused', async () => {
    const token = await signAccessToken(secretsOf('another secret of thirty-two bytes or more'), access);
    await expect(verifyNow(sessions(), token)).rejects.toMatchObject({ reason: 'invalid' });
  });
});

const claims = { sub: access.accountId, role: 'tourist', sid: access.sessionId, tv: 3, iss: 'resort-booking-platform' };
const sign = (payload: JWTPayload, header: object = {}, secret = SECRET) =>
  new SignJWT({ aud: 'resort-api', exp: Math.floor(Date.now() / 1_000) + 60, ...claims, ...payload })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(createSecretKey(Buffer.from(secret)));
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** The token with another part. */
const withPart = (token: string, index: number, part: string) => token.split('.').with(index, part).join('.');

describe('an access token is accepted only if all of it is ours', () => {
  const now = () => Math.floor(Date.now() / 1_000);
  it.each<[name: string, token: () => Promise<string>, isAccepted?: boolean]>([
    ['a valid one', () => sign({}), true],
    ['several audiences', () => sign({ aud: ['others', 'resort-api'] }), true],
    ['valid since now', () => sign({ nbf: now() }), true],
    ['an unknown field in the header', () => sign({}, { kid: 'x', typ: 'JWT' }), true],
    ['another secret', () => sign({}, {}, 'another secret of thirty-two bytes or more')],
    ['another algorithm', () => sign({}, { alg: 'HS512' })],
    ['another issuer', () => sign({ iss: 'somebody' })],
    ['no issuer', () => sign({ iss: undefined })],
    ['another audience', () => sign({ aud: 'resort-device' })],
    ['no subject', () => sign({ sub: undefined })],
    ['no session', () => sign({ sid: undefined })],
    ['no time of expiry', () => sign({ exp: undefined })],
    ['an expiry that is no number', async () => sign({ exp: 'soon' as never }).catch(() => 'x.y.z')],
    ['an expiry at this second', () => sign({ exp: now() })],
    ['valid only later', () => sign({ nbf: now() + 5 })],
    ['no signature', async () => withPart(await sign({}), 2, '')],
    ['no algorithm', async () => withPart(withPart(await sign({}), 0, base64({ alg: 'none' })), 2, '')],
    ['a header of another token', async () => withPart(await sign({}), 0, base64({ alg: 'HS256', kid: 'x' }))],
    ['other claims', async () => withPart(await sign({}), 1, base64({ ...claims, role: 'admin' }))],
    ['four parts', async () => `${await sign({})}.x`],
    ['two parts', async () => (await sign({})).split('.').slice(0, 2).join('.')],
    ['claims that are no object', async () => withPart(await sign({}), 1, base64('x'))],
    [
      'an extension that must be understood',
      async () => withPart(await sign({}), 0, base64({ alg: 'HS256', crit: ['x'], x: 1 })),
    ],
    ['no token', async () => 'x'],
    ['nothing', async () => ''],
    ['dots', async () => '..'],
  ])('%s', async (_, make, isAccepted = false) => {
    const token = await make();
    const accepted = await verify(sessions(), token).then(
      () => true,
      (error: { name: string }) => {
        expect(error.name).toBe('TokenRefused');
        return false;
      },
    );
    expect(accepted).toBe(isAccepted);
    expect((await formerOwnerOf(secrets, token)) !== null).toBe(isAccepted);
  });
});

describe('a device token', () => {
  it('names its device, is no access token, and the other way round', async () => {
    const device = { accountId: newId(), deviceId: newId() };
    const token = await signDeviceToken(secrets, device);
    expect(await verifyDeviceToken(secrets, token)).toEqual(device);
    await expect(verify(sessions(), token)).rejects.toMatchObject({ reason: 'invalid' });
    expect(await verifyDeviceToken(secrets, await signAccessToken(secrets, access))).toBeNull();
    expect(await verifyDeviceToken(secrets, 'x')).toBeNull();
  });
});
