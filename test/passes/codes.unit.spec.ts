/** Codes of passes, and the verifier of `docs/gates.md` beside our own. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PassCode, readCode, STEP_MS, signCode, timeCodeText } from '../../commands/passes/codes.ts';
import { passKeysOf } from '../../commands/passes/keys.ts';
import { holderAges, passUnits } from '../../domain/purchases/passTerms.ts';
import { moscow } from './passFixtures.ts';

const SECRET = 'a secret of specs that is long enough';
const keys = passKeysOf(SECRET);
const phone = generateKeyPairSync('ed25519');
const deviceKey = phone.publicKey.export({ format: 'jwk' }).x as string;
const now = moscow(8, '09:00');

const printed: PassCode = {
  passId: randomUUID(),
  serial: 3,
  from: moscow(8, '00:00'),
  until: moscow(13, '00:00'),
  areas: [1, 32],
  ageGroup: 'child',
  unit: 'day',
  count: 3,
  deviceKey: null,
};
const onScreen = { ...printed, deviceKey };
/** What the app of the phone shows. */
const shown = (signed: string, at = Date.parse(now)): string =>
  `${signed}.${sign(null, Buffer.from(timeCodeText(signed, at)), phone.privateKey).toString('base64url')}`;

describe('a code', () => {
  it('says what was signed', () => {
    expect(readCode(keys, signCode(keys, printed), now)).toEqual({ code: printed, problem: null });
    expect(readCode(keys, shown(signCode(keys, onScreen)), now)).toEqual({ code: onScreen, problem: null });
    expect(shown(signCode(keys, onScreen)).length).toBeLessThan(300);
  });
  it('on a screen is worth nothing as a picture', () => {
    const signed = signCode(keys, onScreen);
    const problemAt = (steps: number) => readCode(keys, shown(signed, Date.parse(now) + steps * STEP_MS), now).problem;
    expect([-2, -1, 0, 1, 2].map(problemAt)).toEqual(['stale', null, null, null, 'stale']);
    expect(readCode(keys, signed, now)).toEqual({ code: onScreen, problem: 'stale' });
  });
  it('is still valid when the key was rotated, and unknown when the previous one was removed', () => {
    const text = signCode(keys, printed);
    const rotated = passKeysOf('another secret that is long enough', SECRET);
    expect(readCode(rotated, text, now).problem).toBeNull();
    expect(rotated.all.map(({ id }) => id)).toContain(keys.current.id);
    expect(readCode(passKeysOf('another secret that is long enough'), text, now).problem).toBe('unknown_key');
  });
  it('that was changed anywhere is refused, and no text is an error', () => {
    const text = signCode(keys, printed);
    fc.assert(
      fc.property(fc.nat(text.length - 3), fc.constantFrom('A', 'z', '.', '_'), (at, letter) => {
        const changed = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
        if (changed !== text) expect(readCode(keys, changed, now).problem).not.toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.string(), (any) => {
        expect(readCode(keys, any, now).problem).toBe('malformed');
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 40, maxLength: 72 }), (bytes) => {
        const payload = Buffer.from([1, 0, ...bytes])
          .subarray(0, 40)
          .toString('base64url');
        expect(readCode(keys, `RP1.${payload}.x`, now).code).toBeNull();
      }),
    );
  });
});

describe('the verifier of docs/gates.md', () => {
  type Read = (
    text: string,
    keys: readonly { kid: string; x: string }[],
    revoked: ReadonlyMap<string, number | null>,
    area: number,
    now: number,
    extended?: ReadonlyMap<string, number>,
  ) => { readonly reason: string | null; readonly passId?: string; readonly serial?: number };
  let read: Read;
  const published = keys.all.map(({ id, publicText }) => ({ kid: id, x: publicText }));

  beforeAll(async () => {
    const document = readFileSync(path.resolve(import.meta.dirname, '../../docs/gates.md'), 'utf8');
    const [, program = ''] = /```js verifier\n([\s\S]*?)```/.exec(document) ?? [];
    read = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(program)}`)).read;
  });

  const reason = (text: string, more: { revoked?: number | null; area?: number; at?: string } = {}) => {
    const revoked = new Map(more.revoked === undefined ? [] : [[printed.passId, more.revoked]]);
    return read(text, published, revoked, more.area ?? 1, Date.parse(more.at ?? now)).reason;
  };

  it('agrees with ours', () => {
    const text = signCode(keys, printed);
    expect(read(text, published, new Map(), 1, Date.parse(now))).toMatchObject({
      reason: null,
      passId: printed.passId,
      serial: 3,
      age: holderAges.indexOf('child'),
      unit: passUnits.indexOf('day'),
      count: 3,
    });
    expect(reason(shown(signCode(keys, onScreen)))).toBeNull();
    expect(reason(signCode(keys, onScreen))).toBe('stale');
    expect(reason(shown(signCode(keys, onScreen), Date.parse(now) - 2 * STEP_MS))).toBe('stale');
    expect(reason(signCode(passKeysOf('a secret of somebody else, also long'), printed))).toBe('unknown_key');
    expect(reason(text.replace('RP1', 'RP2'))).toBe('malformed');
    expect(reason(`${text.slice(0, -6)}AAAAAA`)).toBe('forged');
  });
  it('knows the days that a closure gave back to a printed code', () => {
    const text = signCode(keys, printed);
    const at = (time: string, until?: string) => {
      const extended = new Map(until === undefined ? [] : [[printed.passId, Date.parse(until)]]);
      return read(text, published, new Map(), 1, Date.parse(time), extended).reason;
    };
    expect(at(moscow(13, '09:00'))).toBe('expired');
    expect(at(moscow(13, '09:00'), moscow(14, '00:00'))).toBeNull();
    expect(at(moscow(14, '00:00'), moscow(14, '00:00'))).toBe('expired');
    expect(at(moscow(12, '09:00'), moscow(9, '00:00'))).toBeNull();
  });
  it('knows dates, areas and what was revoked', () => {
    const text = signCode(keys, printed);
    expect(reason(text, { at: moscow(7, '23:59') })).toBe('not_yet_valid');
    expect(reason(text, { at: moscow(13, '00:00') })).toBe('expired');
    expect([1, 2, 32].map((area) => reason(text, { area }))).toEqual([null, 'wrong_area', null]);
    expect([null, 4, 3].map((revoked) => reason(text, { revoked }))).toEqual(['blocked', 'replaced', null]);
  });
});
