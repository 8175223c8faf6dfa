/**
 * The code of a pass: what a phone shows or a ticket office prints, as `docs/gates.md` describes it. It is signed, so that
 * a gate needs no connection. On a phone it ends with a signature of the current half minute by a key that never leaves
 * the phone, so that a picture of it is worth nothing a minute later.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { instantOf } from '../../domain/core/instants.ts';
import { isDeviceKey } from '../../domain/passes/deviceKey.ts';
import { holderAges, passUnits } from '../../domain/purchases/passTerms.ts';
import type { PassKeys } from './keys.ts';

const PREFIX = 'RP1';
const VERSION = 1;
const SCREEN = 1;
const DEVICE_KEY_AT = 40;
const DEVICE_KEY_BYTES = 32;
/** How long one time code is shown, in milliseconds. Gates accept the one before and the one after. */
export const STEP_MS = 30_000;

/** What a code says. */
export interface PassCode {
  readonly passId: string;
  readonly serial: number;
  /** RFC 3339; `until` is the first moment at which it is no longer valid. */
  readonly from: string;
  readonly until: string;
  /** Empty: all. */
  readonly areas: readonly number[];
  readonly ageGroup: (typeof holderAges)[number];
  readonly unit: (typeof passUnits)[number];
  readonly count: number;
  /** The public key of the phone; null: printed. */
  readonly deviceKey: string | null;
}

const seconds = (instant: string): number => Math.floor(Date.parse(instant) / 1_000);
const instant = (at: number): string => instantOf(at * 1_000);

const payloadOf = (keyId: string, code: PassCode): Buffer => {
  const bytes = Buffer.alloc(DEVICE_KEY_AT + (code.deviceKey === null ? 0 : DEVICE_KEY_BYTES));
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt8(code.deviceKey === null ? 0 : SCREEN, 1);
  bytes.write(keyId, 2, 'hex');
  bytes.write(code.passId.replaceAll('-', ''), 6, 'hex');
  bytes.writeUInt16BE(code.serial, 22);
  bytes.writeUInt32BE(seconds(code.from), 24);
  bytes.writeUInt32BE(seconds(code.until), 28);
  bytes.writeUInt32BE(
    code.areas.reduce((mask, area) => (mask | (1 << (area - 1))) >>> 0, 0),
    32,
  );
  bytes.writeUInt8(holderAges.indexOf(code.ageGroup), 36);
  bytes.writeUInt8(passUnits.indexOf(code.unit), 37);
  bytes.writeUInt16BE(code.count, 38);
  if (code.deviceKey !== null) bytes.write(code.deviceKey, DEVICE_KEY_AT, 'base64url');
  return bytes;
};

const codeOf = (bytes: Buffer): PassCode | undefined => {
  const isScreen = bytes.length > 1 && bytes.readUInt8(1) === SCREEN;
  const length = DEVICE_KEY_AT + (isScreen ? DEVICE_KEY_BYTES : 0);
  if (bytes.length !== length || bytes.readUInt8(0) !== VERSION) return undefined;
  const mask = bytes.readUInt32BE(32);
  return {
    passId: bytes.toString('hex', 6, 22).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    serial: bytes.readUInt16BE(22),
    from: instant(bytes.readUInt32BE(24)),
    until: instant(bytes.readUInt32BE(28)),
    areas: Array.from({ length: 32 }, (_, index) => index + 1).filter((area) => (mask >>> (area - 1)) & 1),
    ageGroup: holderAges[bytes.readUInt8(36)] ?? 'adult',
    unit: passUnits[bytes.readUInt8(37)] ?? 'day',
    count: bytes.readUInt16BE(38),
    deviceKey: isScreen ? bytes.toString('base64url', DEVICE_KEY_AT) : null,
  };
};

/** The signed code, without a time code: `RP1.<payload>.<signature>`. The same code is always the same text. */
export const signCode = ({ current }: PassKeys, code: PassCode): string => {
  const signed = `${PREFIX}.${payloadOf(current.id, code).toString('base64url')}`;
  return `${signed}.${sign(null, Buffer.from(signed), current.privateKey).toString('base64url')}`;
};

/** What the key of the phone signs in a half minute. */
export const timeCodeText = (signed: string, at: number): string => `${signed}@${Math.floor(at / STEP_MS)}`;

export const codeProblems = ['malformed', 'unknown_key', 'forged', 'stale'] as const;
export type CodeProblem = (typeof codeProblems)[number];

/** Tells the guest what can be done. */
export const codeProblemDetails: Readonly<Record<CodeProblem, string>> = {
  malformed: 'This is not the code of a ski pass. Show the code that the app shows for the pass.',
  unknown_key: 'This code is too old. Open the pass in the app, which loads a new one.',
  forged: 'This code was not issued here. Go to the ticket office.',
  stale: 'This is an old picture of a code, or the clock of the phone is wrong. Open the pass in the app.',
};

export interface ReadCode {
  /** What the code says, if it was issued here. */
  readonly code: PassCode | null;
  /** `stale`: the code is genuine, but not shown by its phone at this time. */
  readonly problem: CodeProblem | null;
}

/** A phone shows its code many times: its key is looked at once. `null`: it is none. */
const deviceKeys = new LRUCache<string, { readonly key: KeyObject | null }>({ max: 20_000 });

/**
 * The key of a phone, or null for what is no key that only the phone can sign for. Codes with such keys were issued by
 * earlier releases: no time code is accepted for them. @param text 32 bytes, base64url
 */
const deviceKeyOf = (text: string): KeyObject | null => {
  const known = deviceKeys.get(text);
  if (known) return known.key;
  const key = isDeviceKey(text)
    ? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' })
    : null;
  deviceKeys.set(text, { key });
  return key;
};

const isShownAt = (signed: string, timeCode: string, deviceKey: string, at: number): boolean => {
  const key = deviceKeyOf(deviceKey);
  const signature = Buffer.from(timeCode, 'base64url');
  return [0, -1, 1].some(
    (steps) => key && verify(null, Buffer.from(timeCodeText(signed, at + steps * STEP_MS)), key, signature),
  );
};

/** A pass is scanned many times: the signature of its code is verified once. Of each set of keys. */
const genuine = new WeakMap<PassKeys, LRUCache<string, PassCode>>();
const KEPT_CODES = 20_000;

/** @param text the signed code, without a time code */
const readSigned = (keys: PassKeys, text: string): ReadCode => {
  const known = genuine.get(keys) ?? new LRUCache<string, PassCode>({ max: KEPT_CODES });
  genuine.set(keys, known);
  const before = known.get(text);
  if (before) return { code: before, problem: null };
  const [prefix, payload = '', signature = ''] = text.split('.');
  const bytes = Buffer.from(payload, 'base64url');
  const code = prefix === PREFIX ? codeOf(bytes) : undefined;
  if (!code) return { code: null, problem: 'malformed' };
  const key = keys.all.find(({ id }) => id === bytes.toString('hex', 2, 6));
  if (!key) return { code: null, problem: 'unknown_key' };
  if (!verify(null, Buffer.from(`${prefix}.${payload}`), key.publicKey, Buffer.from(signature, 'base64url')))
    return { code: null, problem: 'forged' };
  known.set(text, code);
  return { code, problem: null };
};

/** Reads and verifies what a gate has seen. @param at when it was shown, RFC 3339 */
export const readCode = (keys: PassKeys, text: string, at: string): ReadCode => {
  const [prefix, payload, signature, timeCode = '', ...more] = text.split('.');
  if (more.length > 0) return { code: null, problem: 'malformed' };
  const signed = [prefix, payload, signature].join('.');
  const { code, problem } = readSigned(keys, signed);
  if (code === null) return { code, problem };
  const shown = code.deviceKey === null || isShownAt(signed, timeCode, code.deviceKey, Date.parse(at));
  return { code, problem: shown ? null : 'stale' };
};
