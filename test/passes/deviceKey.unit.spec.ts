/** Keys of phones: which ones are taken, and that no constant time code opens a gate. */
import { generateKeyPairSync } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCode, STEP_MS, signCode } from '../../commands/passes/codes.ts';
import { passKeysOf } from '../../commands/passes/keys.ts';
import { isDeviceKey } from '../../domain/passes/deviceKey.ts';
import { pass } from '../../domain/passes/pass.ts';
import type { PassEvent } from '../../domain/passes/passEvents.ts';
import { passes } from '../../projections/passes/passes.ts';
import { at } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { happened, projection } from '../kit/projected.ts';
import { issued, moscow, PASS, sold } from './passFixtures.ts';

const { Point } = ed25519;
const { p: PRIME, n: ORDER } = Point.CURVE();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
/** 32 bytes, the lowest first. @param sign the highest bit: which of the two points of this height */
const encoded = (y: bigint, sign = 0): string => {
  const bytes = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
  bytes[31] = (bytes[31] as number) | (sign << 7);
  return bytes.toString('base64url');
};

/** The eight points whose eighth multiple is nothing: the multiples of one of them. */
const ORDER_8 = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
const smallPoints = Array.from({ length: 8 }, (_, n) => ORDER_8.multiplyUnsafe(BigInt(n)));

describe('a key of a phone', () => {
  it('is any that phones make', () =>
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        expect(isDeviceKey(text(ed25519.getPublicKey(seed)))).toBe(true);
      }),
      { numRuns: 30 },
    ));

  it('is none of small order, however it is written', () => {
    expect(new Set(smallPoints.map((point) => point.toHex())).size).toBe(8);
    const spellings = [0n, 1n, PRIME - 1n, PRIME, PRIME + 1n].flatMap((y) => [encoded(y), encoded(y, 1)]);
    for (const key of [...smallPoints.map((point) => text(point.toBytes())), ...spellings])
      expect([key, isDeviceKey(key)]).toEqual([key, false]);
  });

  it('is none outside the group of prime order', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: ORDER - 1n }), fc.integer({ min: 1, max: 7 }), (n, torsion) => {
        const good = Point.BASE.multiply(n);
        expect(isDeviceKey(text(good.toBytes()))).toBe(true);
        expect(isDeviceKey(text(good.add(smallPoints[torsion] as typeof good).toBytes()))).toBe(false);
      }),
      { numRuns: 30 },
    ));

  it('is nothing that is no point, not 32 bytes, or no base64url', () => {
    expect(['', 'k', 'A'.repeat(42), encoded(2n), encoded(PRIME - 2n), '!'.repeat(43)].map(isDeviceKey)).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });
});

const [unsafe, another] = [
  text(smallPoints[0]?.toBytes() ?? new Uint8Array()),
  text(smallPoints[3]?.toBytes() ?? new Uint8Array()),
];
const safe = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x as string;
const NOW = moscow(7, '12:00');
const issuedTo = (serial: number, deviceKey: string | null): PassEvent => ({
  type: 'PassIssued',
  data: { serial, deviceKey },
});

it('is refused by the pass, also when an earlier release took it', () => {
  const given = specification(pass);
  given([sold()]).when({ type: 'IssuePass', deviceKey: unsafe, at: NOW }).then('invalid');
  given([sold(), issuedTo(1, unsafe)])
    .when({ type: 'IssuePass', deviceKey: unsafe, at: NOW })
    .then('invalid');
  given([sold(), issuedTo(1, unsafe)])
    .when({ type: 'IssuePass', deviceKey: safe, at: NOW })
    .thenOnce([{ type: 'PassIssued', data: { serial: 2, deviceKey: safe, at: NOW } }]);
});

it('of an earlier release opens no gate: no constant time code is accepted at any time', () => {
  const keys = passKeysOf('a secret of specs that is long enough');
  const code = { passId: PASS, serial: 1, from: moscow(8, '00:00'), until: moscow(9, '00:00'), areas: [], count: 1 };
  // R is the point, s is 0: the equation holds whatever was signed, where the point of the key vanishes.
  const constants = smallPoints.map((point) => text(Buffer.concat([point.toBytes(), Buffer.alloc(32)])));
  for (const deviceKey of [unsafe, another]) {
    const signed = signCode(keys, { ...code, ageGroup: 'adult', unit: 'day', deviceKey });
    const accepted = constants.flatMap((constant) =>
      Array.from({ length: 16 }, (_, n) => new Date(Date.parse(moscow(8, '09:00')) + n * STEP_MS).toISOString()).filter(
        (time) => readCode(keys, `${signed}.${constant}`, time).problem !== 'stale',
      ),
    );
    expect(accepted).toEqual([]);
  }
});

it('of an earlier release is listed among the revoked, until the pass has a code with another key', () => {
  const rowOf = (...events: PassEvent[]) =>
    projection(passes)(events.map((event, n) => happened('pass', PASS, event, at(n))))[0];
  expect(rowOf(sold(), issued)).toMatchObject({ has_unsafe_key: false, revoked_position: null });
  expect(rowOf(sold(), issuedTo(1, unsafe))).toMatchObject({
    has_unsafe_key: true,
    revoked_position: expect.any(Number),
  });
  expect(rowOf(sold(), issuedTo(1, unsafe), issuedTo(2, safe))).toMatchObject({ has_unsafe_key: false, serial: 2 });
});
