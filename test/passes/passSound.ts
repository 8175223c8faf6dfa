/** What must be true of passes and their money at every moment, and in the end. */
import { expect } from 'vitest';
import { passIdOf } from '../../commands/passes/dividePurchase.ts';
import { refundIn } from '../../commands/passes/refunds.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { paidUnits, unitsLeft } from '../../domain/passes/admission.ts';
import { passClosures } from '../../domain/passes/closures.ts';
import { type OpenPass, pass } from '../../domain/passes/pass.ts';
import { heldBackBy } from '../../domain/passes/passesToBlock.ts';
import { PASSBACK_MS } from '../../domain/passes/refusalReasons.ts';
import { payment, refundableMinor } from '../../domain/payments/payment.ts';
import { purchase } from '../../domain/purchases/purchase.ts';
import { PAYMENT } from '../bookings/bookingFixtures.ts';
import type { MemoryAggregates } from '../kit/memoryAggregates.ts';
import { PURCHASE } from '../purchases/productFixtures.ts';
import { PASSES, PRICE } from './boughtPasses.ts';

type Memory = Pick<MemoryAggregates, 'stateOf'>;

/** A pass of the purchase; undefined: it was not made yet. */
export const passOf = (memory: Memory, number: number): OpenPass | undefined => {
  const state = memory.stateOf(pass, passIdOf(PURCHASE, number));
  return state.status === 'open' ? state : undefined;
};

const allPasses = (memory: Memory): OpenPass[] =>
  Array.from({ length: PASSES }, (_, index) => passOf(memory, index + 1) ?? []).flat();

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** What goes back of the payment, whoever asked for it. */
const refundsMinor = (memory: Memory): number => {
  const state = memory.stateOf(payment, PAYMENT);
  const refunds = state.status === 'none' ? [] : Object.values(state.refunds);
  return sumOf(refunds.flatMap(({ status, amountMinor }) => (status === 'failed' ? [] : amountMinor)));
};

const fixedMinor = (memory: Memory): number => sumOf(allPasses(memory).map(({ settled }) => settled?.refundMinor ?? 0));

interface Passage {
  readonly passId: string;
  readonly at: number;
}

const assertPassages = (states: readonly OpenPass[], passages: readonly Passage[]): void => {
  for (const { passId, at } of passages) {
    const state = states.find(({ number }) => passIdOf(PURCHASE, number) === passId);
    expect(state?.days, 'days of passages').toContain(todayIn('Europe/Moscow', instantOf(at)));
  }
  for (const [index, { passId, at }] of passages.entries())
    for (const other of passages.slice(index + 1))
      if (other.passId === passId) expect(Math.abs(other.at - at)).toBeGreaterThanOrEqual(PASSBACK_MS);
};

/** No more days are ridden and refunded than were paid, and no money goes back that the passes have not fixed. */
export const assertSound = (memory: Memory, passages: readonly Passage[]): void => {
  const { closed } = memory.stateOf(passClosures, ONLY_ONE);
  const states = allPasses(memory);
  if (states.length === PASSES) expect(sumOf(states.map(({ priceMinor }) => priceMinor))).toBe(PRICE);
  for (const state of states) {
    const free = closed.map(({ date }) => date);
    const ridden = state.days.filter((day) => !free.includes(day)).length;
    const back = state.settled?.units ?? 0;
    expect(ridden + back, 'days ridden and refunded').toBeLessThanOrEqual(paidUnits(state));
    expect(state.settled?.refundMinor ?? 0).toBeLessThanOrEqual(state.priceMinor);
    expect(unitsLeft(state, closed)).toBeGreaterThanOrEqual(0);
    if (state.days.length >= paidUnits(state)) expect(back, 'refund of ridden days').toBe(0);
  }
  expect(refundsMinor(memory), 'money that goes back').toBeLessThanOrEqual(fixedMinor(memory));
  assertPassages(states, passages);
};

/** What is left of the money at the payment. */
const leftMinor = (memory: Memory): number => refundableMinor(memory.stateOf(payment, PAYMENT), PURCHASE);

/** What the bank took is held back by passes that open no gate, or all of them are blocked, or end because nothing is left. */
export const assertCovered = (
  memory: Memory,
  { chargebackId, amountMinor }: { readonly chargebackId: string; readonly amountMinor: number },
  at: string,
): void => {
  const { closed } = memory.stateOf(passClosures, ONLY_ONE);
  const isBlocked = ({ blocked, chargebacks }: OpenPass) =>
    chargebacks.includes(chargebackId) || (blocked && chargebacks.length > 0);
  const worthOf = (of: OpenPass) => heldBackBy(of, closed, at);
  const states = allPasses(memory);
  const missing = PRICE - sumOf(states.map(refundIn(memory.stateOf(purchase, PURCHASE)))) - leftMinor(memory);
  const held = sumOf(states.filter(isBlocked).map(worthOf));
  if (leftMinor(memory) > 0 && states.some((of) => !isBlocked(of) && worthOf(of) > 0))
    expect(held, 'money that blocked passes hold back').toBeGreaterThanOrEqual(Math.min(missing, amountMinor));
};

/** When nothing is left to do: what was fixed went back, to the last kopeck, unless the bank took it before. */
export const assertSettled = (memory: Memory): void => {
  const [back, fixed] = [refundsMinor(memory), fixedMinor(memory)];
  const taken = PRICE - leftMinor(memory) - back;
  expect(back, 'money that went back').toBeGreaterThanOrEqual(fixed - taken);
  for (const state of allPasses(memory)) expect(state.ended === null).toBe(state.settled === null);
};
