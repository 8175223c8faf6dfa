/** The commission and the share of the seller, after any changes of the price, are those of the price that stays. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { giveBack } from '../../commands/payments/giveBack.ts';
import { commissionOf } from '../../domain/commissions/commission.ts';
import { exponentOf, percentage } from '../../domain/core/money.ts';
import { priceOf } from '../../domain/ledger/ledger.ts';
import { type OpenPayment, type PaymentEvent, payment } from '../../domain/payments/payment.ts';
import { derivedId } from '../../infra/ids.ts';
import { BOOKING, PROVIDER, paymentTerms } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';

/** What a booking costs, one after the other, and the penalty of each change to a lower price in percent. */
interface Life {
  readonly currency: string;
  readonly rateBps: number;
  readonly first: number;
  readonly changes: readonly { readonly to: number; readonly penaltyPercent: number }[];
}

/** Pays, and changes the price: a higher one is paid, a lower one is refunded. @returns the parts at the end */
const after = async ({ currency, rateBps, first, changes }: Life) => {
  const memory = memoryAggregates(async () => undefined);
  const rate = { rule: 'global', rateBps } as const;
  const on = (minor: number): number => commissionOf(minor, rate).commissionMinor;
  const context = (step: number) => ({ ...contextOf('system'), commandId: derivedId('rounded', step) });
  const paymentIds: string[] = [];
  const stateOf = (paymentId: string) => memory.stateOf(payment, paymentId) as OpenPayment;
  const pay = async (amountMinor: number, commissionMinor: number) => {
    const paymentId = derivedId('payment', paymentIds.length);
    const item = { kind: 'booking', id: BOOKING, ownerId: PROVIDER, amountMinor, commissionMinor };
    const created = { ...paymentTerms, items: [item], amountMinor, currency };
    memory.given(`payment-${paymentId}`, [{ type: 'PaymentCreated', data: created } as PaymentEvent]);
    paymentIds.push(paymentId);
    const paid = {
      type: 'ApplyProviderState',
      providerPaymentId: 'p',
      status: 'succeeded',
      amountMinor,
      currency,
    } as const;
    await memory.handle(payment, paymentId, paid, contextOf('system'));
  };
  await pay(first, on(first));
  let [total, kept] = [first, 0];
  for (const [step, { to, penaltyPercent }] of changes.entries()) {
    if (to > total) await pay(to - total, on(to + kept) - on(total + kept));
    else {
      kept += percentage(total - to, penaltyPercent * 100);
      const stays = { itemId: BOOKING, cause: 'changed', keptMinor: to + kept, commissionBps: rateBps } as const;
      await giveBack({ deps: { aggregates: memory }, context: context(step) }, paymentIds, stays);
      for (const paymentId of paymentIds)
        for (const [refundId, { status }] of Object.entries(stateOf(paymentId).refunds))
          if (status === 'pending')
            await memory.handle(
              payment,
              paymentId,
              { type: 'ApplyRefundState', refundId, status: 'succeeded' },
              contextOf('system'),
            );
    }
    total = to;
  }
  const parts = paymentIds.flatMap((paymentId) => stateOf(paymentId).parts[BOOKING] ?? []);
  const sum = (of: (each: (typeof parts)[number]) => number) => parts.reduce((all, each) => all + of(each), 0);
  return {
    stays: total + kept,
    price: sum(priceOf),
    commission: sum(({ platformMinor }) => platformMinor),
    share: sum(({ heldMinor }) => heldMinor),
  };
};

it('two nights of which one is given up', async () => {
  const changes = [{ to: 22, penaltyPercent: 0 }];
  expect(await after({ currency: 'JPY', rateBps: 1_000, first: 26, changes })).toEqual({
    stays: 22,
    price: 22,
    commission: 2,
    share: 20,
  });
});

it('in every currency, whatever the order of the changes', async () => {
  const price = fc.integer({ min: 1, max: 1_000 });
  const change = fc.record({ to: price, penaltyPercent: fc.constantFrom(0, 0, 50, 100, 33) });
  const lives = fc.record({
    currency: fc.constantFrom('JPY', 'RUB', 'KWD'),
    rateBps: fc.constantFrom(0, 333, 1_000, 1_250, 5_000, 10_000),
    first: price,
    changes: fc.array(change, { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(lives, async ({ currency, first, changes, ...life }) => {
      // A price in whole units, or down to the smallest coin.
      const unit = 10 ** (exponentOf(currency) % 2);
      const scaled = changes.map(({ to, ...more }) => ({ to: to * unit, ...more }));
      const {
        stays,
        price: left,
        commission,
        share,
      } = await after({
        ...life,
        ...{ currency, first: first * unit, changes: scaled },
      });
      const { commissionMinor, providerMinor } = commissionOf(stays, { rule: 'global', rateBps: life.rateBps });
      expect({ left, commission, share }).toEqual({ left: stays, commission: commissionMinor, share: providerMinor });
    }),
    { numRuns: 100 },
  );
});
