import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asCompared, type IdentityEvent, identity, kindOf, normalised } from '../../domain/accounts/identity.ts';
import { specification } from '../kit/given.ts';

const ANNA = '018f0000-0000-7000-8000-00000000000a';
const BORIS = '018f0000-0000-7000-8000-00000000000b';

describe('identity', () => {
  const given = specification(identity);
  const claimed: IdentityEvent = { type: 'IdentityClaimed', data: { accountId: ANNA } };
  const released: IdentityEvent = { type: 'IdentityReleased', data: { accountId: ANNA } };

  const byBoris: IdentityEvent = { type: 'IdentityClaimed', data: { accountId: BORIS } };
  it('is claimed as of the claim that was read', () => {
    given([]).when({ type: 'ClaimIdentity', accountId: ANNA, asOf: 0 }).then([claimed]);
    given([claimed]).when({ type: 'ClaimIdentity', accountId: BORIS, asOf: 0 }).then('unavailable');
    given([claimed]).when({ type: 'ClaimIdentity', accountId: BORIS, asOf: 1 }).then([released, byBoris]);
    given([claimed, released]).when({ type: 'ClaimIdentity', accountId: BORIS, asOf: 1 }).then([byBoris]);
    // Claiming again makes what was decided on the first claim outdated.
    given([claimed]).when({ type: 'ClaimIdentity', accountId: ANNA, asOf: 1 }).then([claimed]);
  });
  it('is released by its holder only, and only the claim that was read', () => {
    given([claimed]).when({ type: 'ReleaseIdentity', accountId: ANNA, asOf: 1 }).thenOnce([released]);
    given([claimed]).when({ type: 'ReleaseIdentity', accountId: BORIS, asOf: 1 }).then([]);
    given([claimed, claimed]).when({ type: 'ReleaseIdentity', accountId: ANNA, asOf: 1 }).then([]);
  });
});

describe('identifiers', () => {
  it.each([
    ['email', ' Anna@Example.TEST ', 'anna@example.test'],
    ['email', 'anna', null],
    ['email', 'anna@example', null],
    ['email', 'a b@example.test', null],
    ['email', `${'a'.repeat(250)}@example.test`, null],
    ['phone', '+7 (999) 000-00-01', '+79990000001'],
    ['phone', '0079990000001', '+79990000001'],
    ['phone', '89990000001', null],
    ['phone', '+0999000000', null],
    ['phone', '+7999000000100000', null],
    ['phone', '', null],
    ['phone', '+7\u00a0999\u00a0000\u00a000\u00a001', '+79990000001'],
    ['phone', '\uff0b79990000001', null],
    ['phone', '\u200e+7 999 000-00-01\u200f', '+79990000001'],
    ['phone', '\u2066+7 (999) 000\u201300\u201301\u2069', '+79990000001'],
    ['phone', 'tel:+79990000001', '+79990000001'],
    ['phone', '(+7) 999 000 00 01', '+79990000001'],
    ['phone', '+7 (8) 999 000 00 01', '+79990000001'],
    ['phone', '+٧٩٩٩٠٠٠٠٠٠١', null],
    ['phone', '+44 (0)20 7946 0018', '+442079460018'],
    ['phone', '00 44 20 7946 0018', '+442079460018'],
    ['phone', '+49 (0) 30 123456', '+4930123456'],
    ['phone', '+39 06 1234 5678', '+390612345678'],
    ['phone', '+999123456789', null],
    ['phone', '+7999000', null],
    ['phone', '+7 999 000 00 01 ext. 5', null],
    ['phone', 'call +79990000001', null],
    ['phone', '+79990000001, +79990000002', null],
    ['phone', '+7 999 000 00 01 Anna', null],
    ['phone', '112', null],
    ['email', 'айгуль@почта.рф', 'айгуль@почта.рф'],
    ['email', 'anna@xn--80a1acny.xn--p1ai', 'anna@xn--80a1acny.xn--p1ai'],
    ['email', '\uff41dmin@demo.test', null],
    ['email', 'ho\u017ftel@example.test', null],
    ['email', '\u212aate@example.test', null],
    ['email', 'jos\u0065\u0301@example.test', null],
    ['email', 'stra\u00dfe@example.test', null],
    ['email', '\u0131da@example.test', null],
    ['email', '\u00c9mile@example.test', null],
    ['email', 'émile@example.test', 'émile@example.test'],
    ['email', 'anna@\uff45xample.test', null],
    ['email', 'anna@example\u3002test', null],
    ['email', 'anna@faß.de', null],
    ['email', 'anna\u200b@example.test', null],
    ['email', 'anna@exam\u00adple.test', null],
    ['email', '\u00a0anna@example.test', null],
    ['email', 'anna@example.test/x', null],
    ['email', 'anna@exa%6dple.test', null],
    ['email', 'anna@0x7f.1', null],
    ['email', '<anna@example.test>', null],
    ['email', 'anna@1.2.3.4', null],
    ['email', 'anna@[1.2.3.4]', null],
    ['email', 'anna..orlova@example.test', null],
    ['email', '.anna@example.test', null],
    ['email', 'anna.@example.test', null],
    ['email', 'anna@-example.test', null],
    ['email', 'anna@example-.test', null],
    ['email', 'anna@example..test', null],
    ['email', 'anna@example.test.', null],
    ['email', 'anna@exam_ple.test', null],
    ['email', 'anna@boris@example.test', null],
    ['email', 'anna@example.7', null],
    ['email', 'anna@7.example7', 'anna@7.example7'],
    ['email', `${'a'.repeat(64)}@example.test`, `${'a'.repeat(64)}@example.test`],
    ['email', `${'a'.repeat(65)}@example.test`, null],
    ['email', `${'я'.repeat(33)}@example.test`, null],
    ['email', `anna@${'b'.repeat(64)}.test`, null],
    ['email', 'anna.b-c@sub.example-7.test', 'anna.b-c@sub.example-7.test'],
    ['email', 'an\ud800na@example.test', null],
    ['email', '"anna"@example.test', null],
    ['email', 'an\\na@example.test', null],
    ['email', 'anna(home)@example.test', null],
    ['email', "o'hara+{x}~/=?^`|!#$%&*_-@example.test", "o'hara+{x}~/=?^`|!#$%&*_-@example.test"],
  ] as const)('%s %j is %j', (kind, text, expected) => {
    expect(normalised(kind, text)).toBe(expected);
  });
  it('are never changed by what folds Unicode, whatever they are', () => {
    const email = fc.tuple(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
    );
    fc.assert(
      fc.property(email, ([local, host]) => {
        const value = normalised('email', `${local}@${host}.test`);
        if (value === null) return;
        for (const folded of [value.normalize('NFKC'), value.toLowerCase(), value.toUpperCase().toLowerCase()])
          expect(folded).toBe(value);
        expect(normalised('email', value)).toBe(value);
        expect(asCompared('email', value)).toBe(value);
      }),
    );
  });
  it('distinguishes e-mail addresses from phone numbers', () => {
    expect(kindOf('anna@example.test')).toBe('email');
    expect(kindOf('+79990000001')).toBe('phone');
  });
});
