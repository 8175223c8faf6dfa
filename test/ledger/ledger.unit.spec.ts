import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  account,
  assertBalanced,
  captured,
  drawn,
  escrowCancelled,
  escrowHeld,
  escrowReleased,
  ownerOf,
  type PaidItem,
  type Parts,
  Posting,
  paidOut,
  partsOf,
  payersMinor,
  payoutFailed,
  payoutRequested,
  refunded,
  released,
} from '../../domain/ledger/ledger.ts';
import { validator } from '../../infra/validation.ts';
import { BOOKING, id, PROVIDER } from '../bookings/bookingFixtures.ts';

const stay: PaidItem = { id: BOOKING, ownerId: PROVIDER, service: null, amountMinor: 10_000, commissionMinor: 1_000 };
const pass: PaidItem = { id: id(7), ownerId: null, service: 'ski_pass', amountMinor: 5_000, commissionMinor: 0 };
const held = account.held(PROVIDER);
const available = account.available(PROVIDER);

const byAccount = (postings: readonly Posting[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { account: name, amountMinor } of postings) sums[name] = (sums[name] ?? 0) + amountMinor;
  return sums;
};

describe('money that comes', () => {
  it('fills the commission first, then what is held for the owner', () => {
    expect(captured('yookassa', [stay])).toEqual([
      { account: 'clearing:yookassa', amountMinor: 10_000, itemId: BOOKING },
      { account: 'commission', amountMinor: -1_000, itemId: BOOKING },
      { account: held, amountMinor: -9_000, itemId: BOOKING },
    ]);
    expect(byAccount(captured('fake', [{ ...stay, amountMinor: 600 }]))).toEqual({
      'clearing:fake': 600,
      commission: -600,
    });
  });
  it('belongs to the platform where the platform is the seller', () =>
    expect(byAccount(captured('yookassa', [stay, pass]))).toEqual({
      'clearing:yookassa': 15_000,
      commission: -1_000,
      [held]: -9_000,
      'service:ski_pass': -5_000,
    }));
});

describe('money that goes back', () => {
  it('comes from the owner’s share first, then from the commission', () => {
    const draw = drawn(partsOf(stay), 9_500);
    expect(draw).toEqual({ heldMinor: 9_000, availableMinor: 0, platformMinor: 500 });
    expect(refunded('yookassa', stay, draw)).toEqual([
      { account: 'commission', amountMinor: 500, itemId: BOOKING },
      { account: held, amountMinor: 9_000, itemId: BOOKING },
      { account: 'clearing:yookassa', amountMinor: -9_500, itemId: BOOKING },
    ]);
  });
  it('comes from the commission for the part that it returns', () => {
    expect(drawn(partsOf(stay), 5_000, 500)).toEqual({ heldMinor: 4_500, availableMinor: 0, platformMinor: 500 });
    expect(drawn(partsOf(stay), 10_000, 500)).toEqual(drawn(partsOf(stay), 10_000));
    expect(drawn(partsOf(stay), 300, 500)).toEqual({ heldMinor: 0, availableMinor: 0, platformMinor: 300 });
  });
  it('is owed by the owner after the release', () => {
    const draw = drawn({ heldMinor: 0, availableMinor: 9_000, platformMinor: 1_000 }, 4_000);
    expect(byAccount(refunded('yookassa', stay, draw))).toEqual({ [available]: 4_000, 'clearing:yookassa': -4_000 });
  });
  it('comes out of the platform’s sales', () =>
    expect(byAccount(refunded('tbank', pass, drawn(partsOf(pass), 5_000)))).toEqual({
      'service:ski_pass': 5_000,
      'clearing:tbank': -5_000,
    }));
  it('is never more than the balance', () => expect(() => drawn(partsOf(stay), 10_001)).toThrow(RangeError));
  it('is nothing of what has gone back in full', () => {
    const none = { heldMinor: 0, availableMinor: 0, platformMinor: 0 };
    expect(drawn(none, 0)).toEqual(none);
  });
  it('takes each part only as far as those before it do not suffice', () => {
    const part = fc.oneof(fc.constant(0), fc.nat(100), fc.nat(1e9));
    const some = fc.double({ min: 0, max: 1, noNaN: true });
    const parts = fc.record({ heldMinor: part, availableMinor: part, platformMinor: part });
    fc.assert(
      fc.property(parts, some, some, fc.nat(100), (of, contributed, drawnPart, platformFirstMinor) => {
        const left: Parts = { ...of, promotionMinor: Math.floor((of.heldMinor + of.platformMinor) * contributed) };
        const amountMinor = Math.floor(payersMinor(left) * drawnPart);
        const draw = drawn(left, amountMinor, platformFirstMinor);
        expect(payersMinor(draw)).toBe(amountMinor);
        const rest = {
          heldMinor: left.heldMinor - draw.heldMinor,
          availableMinor: left.availableMinor - draw.availableMinor,
          platformMinor: left.platformMinor - draw.platformMinor,
          promotionMinor: left.promotionMinor! - (draw.promotionMinor ?? 0),
        };
        for (const minor of Object.values(rest)) expect(minor).toBeGreaterThanOrEqual(0);
        if (draw.availableMinor > 0) expect(rest.heldMinor).toBe(0);
        if (draw.platformMinor > platformFirstMinor) expect([rest.heldMinor, rest.availableMinor]).toEqual([0, 0]);
        if (draw.heldMinor + draw.availableMinor > 0)
          expect(draw.platformMinor).toBeGreaterThanOrEqual(Math.min(platformFirstMinor, left.platformMinor));
        // The contribution goes back in proportion, less than a unit off, and all of it with the last of the money.
        const exact =
          payersMinor(left) === 0 ? left.promotionMinor! : (left.promotionMinor! * amountMinor) / payersMinor(left);
        expect(Math.abs((draw.promotionMinor ?? 0) - exact)).toBeLessThan(1);
        if (amountMinor === payersMinor(left)) expect(rest.promotionMinor).toBe(0);
      }),
    );
  });
});

it('an owner’s money is released, reserved and paid out', () => {
  const payout = account.payout(PROVIDER);
  expect(byAccount(released(PROVIDER, 9_000, BOOKING))).toEqual({ [held]: 9_000, [available]: -9_000 });
  expect(byAccount(payoutRequested(PROVIDER, 9_000))).toEqual({ [available]: 9_000, [payout]: -9_000 });
  expect(byAccount(payoutFailed(PROVIDER, 9_000))).toEqual({ [payout]: 9_000, [available]: -9_000 });
  expect(byAccount(paidOut(PROVIDER, 9_000))).toEqual({ [payout]: 9_000, bank: -9_000 });
  expect(released(PROVIDER, 0)).toEqual([]);
});
it('escrow moves money between the provider’s accounts, and from there to the owner', () => {
  const [clearing, nominal] = [account.clearing('tbank'), account.nominal('tbank')];
  expect(byAccount(escrowHeld('tbank', 9_000))).toEqual({ [clearing]: -9_000, [nominal]: 9_000 });
  expect(byAccount(escrowCancelled('tbank', 9_000))).toEqual({ [clearing]: 9_000, [nominal]: -9_000 });
  expect(byAccount(escrowReleased('tbank', PROVIDER, 9_000, BOOKING))).toEqual({ [held]: 9_000, [nominal]: -9_000 });
});
it('knows the owner of an account', () => {
  expect([held, available, account.payout(PROVIDER)].map(ownerOf)).toEqual([PROVIDER, PROVIDER, PROVIDER]);
  expect(['bank', 'commission', 'clearing:yookassa', 'service:ski_pass'].map(ownerOf)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
it('refuses postings that do not add up to zero', () =>
  expect(() => assertBalanced([{ account: 'bank', amountMinor: 1 }])).toThrow('postings are off by 1: '));

/** One item through its life: what is left of it, and whether its owner's part is on the nominal account. */
interface Life {
  readonly item: PaidItem;
  readonly left: Parts;
  readonly nominal: boolean;
}
type Step = { readonly do: 'refund' | 'release' | 'hold' | 'payout' | 'fail' | 'pay'; readonly some: number };

const PSP = 'tbank';
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('refund', 'release', 'hold', 'payout', 'fail', 'pay'),
  some: fc.double({ min: 0, max: 1, noNaN: true }),
});
const paidItem: fc.Arbitrary<PaidItem> = fc
  .record({
    owner: fc.constantFrom(id(1), id(2), null),
    amountMinor: fc.integer({ min: 1, max: 1e9 }),
    rate: fc.nat(100),
    promotionMinor: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1e9 })),
  })
  .map(({ owner, amountMinor, rate, promotionMinor }) => ({
    id: BOOKING,
    ownerId: owner,
    service: owner === null ? 'insurance' : null,
    amountMinor,
    commissionMinor: owner === null ? 0 : Math.floor(((amountMinor + promotionMinor) * rate) / 100),
    promotionMinor: owner === null ? 0 : promotionMinor,
  }));

/** What a step posts, and the item after it. Owners may be paid out what they have, whatever is refunded later. */
const take = (life: Life, { do: what, some }: Step, sums: Record<string, number>): [Life, Posting[][]] => {
  const { item, left, nominal } = life;
  const owner = item.ownerId ?? id(1);
  const on = (name: string) => Math.max(0, -(sums[name] ?? 0));
  switch (what) {
    case 'refund': {
      const draw = drawn(left, Math.floor(payersMinor(left) * some));
      const after: Parts = {
        heldMinor: left.heldMinor - draw.heldMinor,
        availableMinor: left.availableMinor - draw.availableMinor,
        platformMinor: left.platformMinor - draw.platformMinor,
        promotionMinor: (left.promotionMinor ?? 0) - (draw.promotionMinor ?? 0),
      };
      const back = nominal ? [escrowCancelled(PSP, left.heldMinor)] : [];
      return [{ item, left: after, nominal: false }, [...back, refunded(PSP, item, draw)]];
    }
    case 'release': {
      const amount = left.heldMinor;
      const after = { ...left, heldMinor: 0, availableMinor: left.availableMinor + amount };
      const postings = nominal ? escrowReleased(PSP, owner, amount) : released(owner, amount);
      return [{ item, left: after, nominal: false }, [postings]];
    }
    case 'hold':
      return nominal ? [life, []] : [{ ...life, nominal: true }, [escrowHeld(PSP, left.heldMinor)]];
    case 'payout':
      return [life, [payoutRequested(owner, Math.floor(on(account.available(owner)) * some))]];
    case 'fail':
      return [life, [payoutFailed(owner, Math.floor(on(account.payout(owner)) * some))]];
    case 'pay':
      return [life, [paidOut(owner, Math.floor(on(account.payout(owner)) * some))]];
  }
};

it('any history adds up to zero; no held balance or commission is negative', () => {
  const storable = validator(Posting);
  const lives = fc.array(fc.tuple(paidItem, fc.array(step, { maxLength: 12 })), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lives, (histories) => {
      let sums: Record<string, number> = {};
      const post = (postings: readonly Posting[]) => {
        assertBalanced(postings);
        for (const posting of postings) expect(storable(posting) && posting.amountMinor !== 0).toBe(true);
        sums = byAccount([
          ...Object.entries(sums).map(([name, amountMinor]) => ({ account: name, amountMinor })),
          ...postings,
        ]);
      };
      for (const [item, steps] of histories) {
        let life: Life = { item, left: partsOf(item), nominal: false };
        post(captured(PSP, [item]));
        for (const each of steps) {
          const [after, entries] = take(life, each, sums);
          life = after;
          for (const postings of entries) post(postings);
          for (const [name, sum] of Object.entries(sums)) {
            if (/^(held|commission|service|payout|bank)/.test(name)) expect(sum).toBeLessThanOrEqual(0);
            if (name.startsWith('nominal') || name === 'promotions') expect(sum).toBeGreaterThanOrEqual(0);
          }
        }
      }
      expect(Object.values(sums).reduce((total, sum) => total + sum, 0)).toBe(0);
    }),
  );
});

describe('a discount that the platform bears', () => {
  // 100.00 with 20.00 off: more than the commission of 10.00.
  const item = {
    id: BOOKING,
    ownerId: id(1),
    service: null,
    amountMinor: 8_000,
    commissionMinor: 1_000,
    promotionMinor: 2_000,
  };
  const line = (account: string, amountMinor: number) => ({ account, amountMinor, itemId: BOOKING });

  it('pays the owner as without it', () =>
    expect(captured(PSP, [item])).toEqual([
      line('clearing:tbank', 8_000),
      line('commission', -1_000),
      line('promotions', 2_000),
      line(`held:${id(1)}`, -9_000),
    ]));
  it('goes back with a refund, in proportion', () => {
    const half = drawn(partsOf(item), 4_000);
    expect(half).toEqual({ heldMinor: 5_000, availableMinor: 0, platformMinor: 0, promotionMinor: 1_000 });
    expect(refunded(PSP, item, half)).toEqual([
      line('promotions', -1_000),
      line(`held:${id(1)}`, 5_000),
      line('clearing:tbank', -4_000),
    ]);
    expect(drawn(partsOf(item), 8_000)).toEqual(partsOf(item));
  });
});
