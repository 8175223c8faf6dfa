/** What becomes of a payment’s money: shared out, charged back, kept in escrow; and that no order of it loses any. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commissionOf } from '../../domain/commissions/commission.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { percentage } from '../../domain/core/money.ts';
import { assertBalanced, type Posting } from '../../domain/ledger/ledger.ts';
import {
  type OpenPayment,
  type PaymentCommand,
  type PaymentEvent,
  payment,
  refundableMinor,
} from '../../domain/payments/payment.ts';
import { keptDiscount } from '../../domain/promotions/terms.ts';
import { BOOKING, id, PROVIDER, paymentTerms as terms } from '../bookings/bookingFixtures.ts';
import {
  about,
  apply,
  arrived,
  available,
  clearing,
  failed,
  given,
  held,
  line,
  nominal,
  paid,
  release,
  request,
  requested,
  shared,
  unsure,
} from './paymentMoneyFixtures.ts';

describe('the rest of an item', () => {
  const rest = (keptMinor: number): PaymentCommand => ({
    type: 'RefundRest',
    refundId: id(2),
    itemId: BOOKING,
    keptMinor,
    cause: 'cancelled',
  });
  const refunded = (amountMinor: number): PaymentEvent => ({
    type: 'RefundRequested',
    data: { ...about, refundId: id(2), amountMinor, cause: 'cancelled' },
  });
  it('is refunded once, except for what stays', () => {
    given(paid)
      .when(rest(0))
      .thenOnce([refunded(20_000)]);
    given(paid)
      .when(rest(5_000))
      .thenOnce([refunded(15_000)]);
  });
  it('takes its part of the commission along when a booking gets cheaper', () => {
    const part: PaymentEvent = {
      type: 'RefundRequested',
      data: { ...about, refundId: id(2), amountMinor: 5_000, cause: 'changed', commissionMinor: 500 },
    };
    given(paid)
      .when({ ...rest(15_000), cause: 'changed', commissionBps: 1_000 } as PaymentCommand)
      .thenOnce([part]);
    const postings = [line('commission', 500), line(held, 4_500), line(clearing, -5_000)];
    given([...paid, part])
      .when({ type: 'ApplyRefundState', refundId: id(2), status: 'succeeded' })
      .thenOnce([{ type: 'RefundSucceeded', data: { ...about, refundId: id(2), amountMinor: 5_000, postings } }]);
  });
  it('is less after another refund, and more after one that failed', () => {
    given([...paid, requested(1, 3_000)])
      .when(rest(5_000))
      .thenOnce([refunded(12_000)]);
    given([...paid, requested(1, 3_000), failed(1)])
      .when(rest(5_000))
      .thenOnce([refunded(15_000)]);
  });
  it('is nothing when no more is left than stays', () => {
    for (const keptMinor of [5_000, 20_000])
      given([...paid, requested(1, 15_000)])
        .when(rest(keptMinor))
        .then([]);
  });
});

describe('a chargeback', () => {
  const wish = { requestedBy: PROVIDER, reason: 'stolen card' };
  const take = (amountMinor: number): PaymentCommand => ({
    type: 'RecordChargeback',
    chargebackId: id(95),
    itemId: BOOKING,
    amountMinor,
  });
  const taken = (amountMinor: number, postings: Posting[]): PaymentEvent => ({
    type: 'ChargedBack',
    data: { ...about, chargebackId: id(95), amountMinor, postings },
  });
  it('takes the owner’s share, then the commission, once', () => {
    const postings = [line('commission', 2_000), line(held, 18_000), line(clearing, -20_000)];
    given(paid)
      .when(take(20_000))
      .thenOnce([taken(20_000, postings)]);
  });
  it('becomes a debt of the owner after the release, and leaves nothing to refund', () => {
    const whole = taken(20_000, [line('commission', 2_000), line(available, 18_000), line(clearing, -20_000)]);
    given([...paid, shared(18_000)])
      .when(take(20_000))
      .then([whole]);
    given([...paid, shared(18_000), whole])
      .when(request(1, 1))
      .then('refund_too_large');
  });
  it('of money that was refunded or is being refunded is a loss of the platform', () =>
    given([...paid, requested(1, 19_500)])
      .when(take(20_000))
      .then([taken(20_000, [line('commission', 500), line('losses', 19_500), line(clearing, -20_000)])]));

  const reserve = (n: number, amountMinor: number): PaymentCommand => ({
    type: 'ReserveChargeback',
    ...{ chargebackId: id(n), itemId: BOOKING, amountMinor, wish },
  });
  const reserved = (n: number, amountMinor: number): PaymentEvent => ({
    type: 'ChargebackReserved',
    data: { ...about, chargebackId: id(n), amountMinor, wish },
  });
  const whole = taken(20_000, [line('commission', 2_000), line(held, 18_000), line(clearing, -20_000)]);
  it('never exceeds what was paid, with other chargebacks and refunds, and keeps its money from refunds', () => {
    given(paid)
      .when(reserve(95, 20_000))
      .thenOnce([reserved(95, 20_000)]);
    given(paid).when(reserve(95, 20_001)).then('conflict');
    given([...paid, reserved(95, 12_000)])
      .when(reserve(96, 8_001))
      .then('conflict');
    given([...paid, reserved(95, 12_000)])
      .when(request(1, 8_001))
      .then('refund_too_large');
    given([...paid, requested(1, 12_000)])
      .when(reserve(95, 8_001))
      .then('conflict');
    given([...paid, reserved(95, 20_000), whole])
      .when(reserve(96, 1))
      .then('conflict');
    given([...paid, whole])
      .when({ ...take(1), chargebackId: id(96) } as PaymentCommand)
      .then('conflict');
  });
  it('leaves room for others up to what was paid, beside refunds that have not failed', () => {
    given([...paid, reserved(95, 12_000), requested(1, 8_000), failed(1)])
      .when(reserve(96, 8_000))
      .thenOnce([reserved(96, 8_000)]);
    given([...paid, reserved(95, 20_000)])
      .when(take(20_000))
      .thenOnce([whole]);
  });
  it('may keep the booking', () =>
    given(paid)
      .when({ ...take(20_000), keepsBooking: true } as PaymentCommand)
      .thenOnce([{ ...whole, data: { ...whole.data, keepsBooking: true } } as PaymentEvent]));
  it('that was won gives the platform back what it has lost', () => {
    const lines = (sign: 1 | -1) => [
      line('commission', sign * 500),
      line('losses', sign * 19_500),
      line(clearing, sign * -20_000),
    ];
    given([...paid, requested(1, 19_500), taken(20_000, lines(1))])
      .when({ type: 'RecordWonChargeback', chargebackId: id(95) })
      .thenOnce([
        { type: 'ChargebackWon', data: { ...about, chargebackId: id(95), amountMinor: 20_000, postings: lines(-1) } },
      ]);
  });
  it('that was won puts everything back where it was taken from, once, and frees the amount', () => {
    const win: PaymentCommand = { type: 'RecordWonChargeback', chargebackId: id(95) };
    const won = (postings: Posting[]): PaymentEvent => ({
      type: 'ChargebackWon',
      data: { ...about, chargebackId: id(95), amountMinor: 20_000, postings },
    });
    const lines = [line('commission', -2_000), line(held, -18_000), line(clearing, 20_000)];
    given([...paid, reserved(95, 20_000), whole])
      .when(win)
      .thenOnce([won(lines)]);
    given([...paid, reserved(95, 20_000), whole, won(lines)])
      .when(request(1, 20_000))
      .then([requested(1, 20_000)]);
    given([...paid, reserved(95, 20_000), whole, won(lines)])
      .when(take(20_000))
      .then([]);
    given([...paid, reserved(95, 20_000), whole, won(lines)])
      .when(reserve(96, 20_000))
      .then([reserved(96, 20_000)]);
    given([...paid, reserved(95, 20_000)])
      .when(win)
      .then('invalid_transition');
    // The dispute window was over meanwhile.
    given([...paid, whole, shared(0)])
      .when(win)
      .then([won([line('commission', -2_000), line(available, -18_000), line(clearing, 20_000)])]);
  });
  it('that was rejected frees its money, and one that was posted does not', () => {
    const end: PaymentCommand = { type: 'EndChargebackReservation', chargebackId: id(95) };
    const ended: PaymentEvent = { type: 'ChargebackReservationEnded', data: { chargebackId: id(95) } };
    given([...paid, reserved(95, 20_000)])
      .when(end)
      .thenOnce([ended]);
    given([...paid, reserved(95, 20_000), ended])
      .when(reserve(96, 20_000))
      .then([reserved(96, 20_000)]);
    given([...paid, reserved(95, 20_000), whole])
      .when(end)
      .then([]);
  });
});

describe('escrow', () => {
  const escrow = { ...about, escrowId: id(80), ownerId: PROVIDER, amountMinor: 18_000 };
  const asked: PaymentEvent = { type: 'EscrowRequested', data: escrow };
  const at = (type: 'EscrowHeld' | 'EscrowReleased' | 'EscrowCancelled', postings: Posting[]): PaymentEvent => ({
    type,
    data: { ...escrow, providerEscrowId: 'e1', postings },
  });
  const kept = at('EscrowHeld', [line(clearing, -18_000), line(nominal, 18_000)]);
  const out = at('EscrowReleased', [line(nominal, -18_000), line(held, 18_000)]);
  const back = at('EscrowCancelled', [line(nominal, -18_000), line(clearing, 18_000)]);
  const want = (n = 80): PaymentCommand => ({ type: 'RequestEscrow', itemId: BOOKING, escrowId: id(n) });
  const says = (status: 'pending' | 'held' | 'released' | 'cancelled', n = 80): PaymentCommand => ({
    type: 'ApplyEscrowState',
    itemId: BOOKING,
    escrowId: id(n),
    status,
    providerEscrowId: 'e1',
  });

  it('holds the owner’s share, one escrow at a time', () => {
    given(paid).when(want()).thenOnce([asked]);
    given([...paid, asked])
      .when(want(81))
      .then('invalid_transition');
    given([...paid, asked])
      .when(release)
      .then('invalid_transition');
    given([...paid, shared(18_000)])
      .when(want())
      .then([]);
  });
  it('follows the provider’s reports', () => {
    given([...paid, asked])
      .when(says('pending'))
      .thenOnce([{ type: 'EscrowSubmitted', data: { ...escrow, providerEscrowId: 'e1' } }]);
    given([...paid, asked])
      .when(says('held'))
      .thenOnce([kept]);
    given([...paid, asked, kept])
      .when(says('released'))
      .thenOnce([out]);
    given([...paid, asked])
      .when(says('released'))
      .thenOnce([kept, out]);
    given([...paid, asked, kept])
      .when(says('cancelled'))
      .thenOnce([back]);
    given([...paid, asked])
      .when(says('cancelled'))
      .thenOnce([at('EscrowCancelled', [])]);
    given([...paid, asked, kept, out])
      .when(says('cancelled'))
      .then([]);
    given([...paid, asked])
      .when(says('held', 81))
      .then('not_found');
  });
  it('blocks resolving a refund as succeeded, but not as failed', () => {
    const resolve = (status: 'succeeded' | 'failed') => ({ type: 'ResolveRefund', refundId: id(1), status }) as const;
    const inReview = [...paid, asked, kept, requested(1, 4_000), unsure];
    given(inReview).when(resolve('succeeded')).then('invalid_transition');
    given(inReview)
      .when(resolve('failed'))
      .then([{ type: 'RefundFailed', data: { refundId: id(1), itemId: BOOKING, code: 'by_hand' } }]);
  });
  it('is not asked for where nothing is free, or where the share is more than was paid', () => {
    given([...paid, requested(1, 20_000)])
      .when(want())
      .then([]);
    const discount = { amountMinor: 100, commissionMinor: 0, promotionMinor: 19_900 };
    const items = terms.items.map((item) => ({ ...item, ...discount }));
    const begun: PaymentEvent = { type: 'PaymentCreated', data: { ...terms, items, amountMinor: 100 } };
    const says = { type: 'ApplyProviderState', providerPaymentId: 'p1', status: 'succeeded', currency: 'RUB' } as const;
    given([begun, ...payment.decide({ ...says, amountMinor: 100 }, given([begun]).state)])
      .when(want())
      .then([]);
  });
  it('is on its way until the provider holds it, and has a number there', () => {
    given([...paid, asked])
      .when({ ...says('pending'), providerEscrowId: null } as PaymentCommand)
      .then([]);
    given([...paid, asked, { type: 'EscrowSubmitted', data: { ...escrow, providerEscrowId: 'e1' } }])
      .when(says('cancelled'))
      .thenOnce([at('EscrowCancelled', [])]);
  });
  it('can be requested again after it was cancelled', () => {
    given([...paid, asked, kept, back])
      .when(want(81))
      .then([{ type: 'EscrowRequested', data: { ...escrow, escrowId: id(81) } }]);
  });
  it('leaves nothing to release after the provider has paid the owner', () => {
    given([...paid, asked, kept, out])
      .when(release)
      .then([]);
    given([...paid, asked, kept, out, requested(1, 1_000)])
      .when(apply(1, 'succeeded'))
      .then([arrived(1, 1_000, [line(available, 1_000), line(clearing, -1_000)])]);
  });
});

describe('in any order', () => {
  const items = [
    { kind: 'booking' as const, id: id(1), ownerId: PROVIDER, amountMinor: 9_000, commissionMinor: 900 },
    { kind: 'booking' as const, id: id(2), ownerId: id(70), amountMinor: 5_001, commissionMinor: 5_001 },
    { kind: 'purchase' as const, id: id(3), ownerId: null, amountMinor: 700, commissionMinor: 0 },
    // The platform bears a discount: less than its commission, and more.
    {
      ...{ kind: 'booking' as const, id: id(4), ownerId: PROVIDER },
      amountMinor: 4_501,
      commissionMinor: 500,
      promotionMinor: 499,
    },
    {
      ...{ kind: 'booking' as const, id: id(5), ownerId: id(70) },
      amountMinor: 101,
      commissionMinor: 300,
      promotionMinor: 2_900,
    },
  ];
  const sumOf = (some: typeof items) => some.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const begunFor = (some: typeof items): PaymentEvent => ({
    type: 'PaymentCreated',
    data: { ...terms, items: some, serviceType: 'insurance', amountMinor: sumOf(some) },
  });
  const item = fc.integer({ min: 1, max: 5 }).map(id);
  const refundId = fc.integer({ min: 10, max: 16 }).map(id);
  const money: fc.Arbitrary<PaymentCommand> = fc.oneof(
    fc.record({
      type: fc.constant('RequestRefund' as const),
      refundId,
      itemId: item,
      amountMinor: fc.integer({ min: 1, max: 6_000 }),
      cause: fc.constant('requested' as const),
      commissionBps: fc.option(fc.nat(10_000), { nil: undefined }),
    }),
    fc.record({
      type: fc.constant('ApplyRefundState' as const),
      refundId,
      status: fc.constantFrom('pending', 'succeeded', 'failed', 'manual_review'),
    }),
    fc.record({ type: fc.constant('RetryRefund' as const), refundId }),
    fc.record({
      type: fc.constant('ResolveRefund' as const),
      refundId,
      status: fc.constantFrom('succeeded' as const, 'failed' as const),
    }),
    fc.record({ type: fc.constant('ReleaseShare' as const), itemId: item }),
    fc.record({
      type: fc.constant('RecordChargeback' as const),
      chargebackId: fc.constantFrom(id(95), id(96)),
      itemId: item,
      amountMinor: fc.integer({ min: 1, max: 9_000 }),
    }),
    fc.record({
      type: fc.constant('ReserveChargeback' as const),
      chargebackId: fc.constantFrom(id(95), id(96)),
      itemId: item,
      amountMinor: fc.integer({ min: 1, max: 9_000 }),
      wish: fc.constant({ requestedBy: PROVIDER, reason: 'stolen card' }),
    }),
    fc.record({
      type: fc.constantFrom('RecordWonChargeback' as const, 'EndChargebackReservation' as const),
      chargebackId: fc.constantFrom(id(95), id(96)),
    }),
    fc.record({ type: fc.constant('RequestEscrow' as const), itemId: item, escrowId: fc.constantFrom(id(90), id(91)) }),
    fc.record({
      type: fc.constant('ApplyEscrowState' as const),
      itemId: item,
      escrowId: fc.constantFrom(id(90), id(91)),
      // The provider is made to give an escrow back before a refund that needs it: see `submitRefund`.
      status: fc.constantFrom('pending', 'held', 'cancelled'),
      providerEscrowId: fc.constant('e1'),
    }),
  );
  const paidFor = (some: typeof items): PaymentCommand => ({
    type: 'ApplyProviderState',
    providerPaymentId: 'p1',
    status: 'succeeded',
    amountMinor: sumOf(some),
    currency: 'RUB',
  });

  it('every movement balances, the accounts match the state, and no item refunds more than was paid', () => {
    fc.assert(
      fc.property(fc.array(money, { maxLength: 60 }), (commands) => {
        let state = given([begunFor(items)]).state;
        const balances = new Map<string, number>();
        const chargedBack = new Map<string, number>();
        for (const command of [paidFor(items), ...commands]) {
          const events = decided(command, state);
          state = events.reduce(payment.evolve, state);
          for (const event of events)
            if (event.type === 'ChargedBack' || event.type === 'ChargebackWon') {
              const { itemId, amountMinor } = event.data;
              const sign = event.type === 'ChargedBack' ? 1 : -1;
              chargedBack.set(itemId, (chargedBack.get(itemId) ?? 0) + sign * amountMinor);
            }
          for (const event of events)
            if ('postings' in event.data) {
              assertBalanced(event.data.postings);
              for (const { account, itemId, amountMinor } of event.data.postings) {
                const key = `${account.split(':')[0]} ${itemId}`;
                balances.set(key, (balances.get(key) ?? 0) + amountMinor);
              }
            }
        }
        for (const each of items) expectBooked(state as OpenPayment, each.id, balances, chargedBack);
      }),
      { numRuns: 500 },
    );
  });

  it('each item of a payment fares as if it were paid for alone', () => {
    /** A refund or chargeback with this id is always of the same item. */
    const ofOneItem = (command: PaymentCommand): [itemId: string, PaymentCommand] => {
      const about = command as { itemId?: string; refundId?: string; chargebackId?: string };
      const key = about.refundId ?? about.chargebackId;
      const itemId = key === undefined ? (about.itemId ?? '') : id((Number.parseInt(key.slice(-2), 16) % 5) + 1);
      return [itemId, 'itemId' in command ? ({ ...command, itemId } as PaymentCommand) : command];
    };
    const run = (some: typeof items, commands: readonly PaymentCommand[]): PaymentEvent[][] => {
      let state = given([begunFor(some)]).state;
      return [paidFor(some), ...commands]
        .map((command) => {
          const events = decided(command, state);
          state = events.reduce(payment.evolve, state);
          return events;
        })
        .slice(1);
    };
    fc.assert(
      fc.property(fc.array(money.map(ofOneItem), { maxLength: 60 }), (commands) => {
        const together = run(
          items,
          commands.map(([, command]) => command),
        );
        for (const each of items) {
          const its = commands.flatMap(([itemId, command]) => (itemId === each.id ? [command] : []));
          expect(together.filter((_, n) => commands[n]?.[0] === each.id)).toEqual(run([each], its));
        }
      }),
      { numRuns: 200 },
    );
  });

  const decided = (command: PaymentCommand, state: Parameters<typeof payment.decide>[1]): PaymentEvent[] => {
    try {
      return payment.decide(command, state);
    } catch (error) {
      if (error instanceof Rejected) return [];
      throw error;
    }
  };

  const expectBooked = (
    state: OpenPayment,
    itemId: string,
    balances: ReadonlyMap<string, number>,
    chargedBack: ReadonlyMap<string, number>,
  ): void => {
    const credit = (...accounts: string[]) =>
      0 - accounts.reduce((sum, account) => sum + (balances.get(`${account} ${itemId}`) ?? 0), 0);
    const {
      heldMinor,
      availableMinor,
      platformMinor,
      promotionMinor = 0,
    } = state.parts[itemId] ?? {
      heldMinor: -1,
      availableMinor: -1,
      platformMinor: -1,
    };
    const back = Object.values(state.refunds)
      .filter((refund) => refund.itemId === itemId && refund.status === 'succeeded')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const { amountMinor = 0 } = items.find(({ id: each }) => each === itemId) ?? {};
    const lost = balances.get(`losses ${itemId}`) ?? 0;
    const charged = chargedBack.get(itemId) ?? 0;
    expect([heldMinor, availableMinor, platformMinor, promotionMinor].every((part) => part >= 0)).toBe(true);
    expect(refundableMinor(state, itemId)).toBeGreaterThanOrEqual(0);
    expect(back).toBeLessThanOrEqual(amountMinor);
    expect(charged).toBeLessThanOrEqual(amountMinor);
    expect(credit('held')).toBe(heldMinor);
    expect(credit('available')).toBe(availableMinor);
    expect(credit('commission', 'service')).toBe(platformMinor);
    expect(0 - credit('promotions')).toBe(promotionMinor);
    expect(0 - credit('clearing', 'nominal')).toBe(amountMinor - back - charged);
    // The platform loses only what a chargeback takes beyond what was left.
    expect(lost).toBe(Math.max(0, lost));
    expect(heldMinor + availableMinor + platformMinor - promotionMinor).toBe(amountMinor - back - charged + lost);
    // With the last of the payer's money the contribution is back.
    if (amountMinor - back - charged + lost === 0) expect(promotionMinor).toBe(0);
  };
});

it('a lower price of a discounted booking leaves the seller the share of the new price', () => {
  const price = fc.integer({ min: 1_000, max: 1e8 });
  fc.assert(
    fc.property(price, price, fc.integer({ min: 1, max: 9_000 }), fc.nat(3_000), (one, other, percentBps, rateBps) => {
      const [before, after] = [Math.max(one, other), Math.min(one, other)];
      const discount = Math.max(1, percentage(before, percentBps));
      const kept = keptDiscount(discount, before, after);
      const { commissionMinor } = commissionOf(before, { rule: 'global', rateBps });
      const amountMinor = before - discount;
      const item = { ...terms.items[0], kind: 'booking', id: BOOKING, ownerId: PROVIDER };
      const items = [{ ...item, amountMinor, commissionMinor, promotionMinor: discount }];
      const begun: PaymentEvent = { type: 'PaymentCreated', data: { ...terms, items, amountMinor } };
      const commands: PaymentCommand[] = [
        {
          ...{ type: 'ApplyProviderState', providerPaymentId: 'p1', status: 'succeeded' },
          amountMinor,
          currency: 'RUB',
        },
        {
          ...{ type: 'RefundRest', refundId: id(9), itemId: BOOKING, cause: 'changed' },
          ...{ keptMinor: after - kept, commissionBps: rateBps },
        },
        apply(9, 'succeeded'),
      ];
      let state = given([begun]).state;
      for (const command of commands)
        if (command.type !== 'ApplyRefundState' || (state as OpenPayment).refunds[id(9)])
          state = payment.decide(command, state).reduce(payment.evolve, state);
      const left = (state as OpenPayment).parts[BOOKING];
      const share = commissionOf(after, { rule: 'global', rateBps });
      // A minor unit of the payer's moves so much of the contribution along; commission and its return are rounded, too.
      const unit = Math.ceil(discount / amountMinor);
      expect(Math.abs((left?.heldMinor ?? 0) - share.providerMinor)).toBeLessThanOrEqual(unit + 4);
      expect(Math.abs((left?.promotionMinor ?? 0) - kept)).toBeLessThanOrEqual(unit + 1);
      expect(refundableMinor(state, BOOKING)).toBe(after - kept);
    }),
  );
});
