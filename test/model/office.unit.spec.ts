/**
 * Random histories of one payment whose shop has an office at the provider: people there capture (also in part), void and
 * refund by hand at any moment, while we ask, refund, capture, cancel and release; questions and answers cross, and
 * answers are lost. All commands are real; the provider and the log are in memory.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { cancelPayment, capturePayment } from '../../commands/payments/atProvider.ts';
import type { PaymentDeps } from '../../commands/payments/deps.ts';
import { ProviderError } from '../../commands/payments/paymentProvider.ts';
import { submitRefund } from '../../commands/payments/refundAtProvider.ts';
import { release } from '../../commands/payments/releaseShare.ts';
import { changedNothing } from '../../domain/core/decider.ts';
import { type OpenPayment, payment, refundedMinor } from '../../domain/payments/payment.ts';
import { isInDispute } from '../../domain/payments/paymentMismatch.ts';
import { leftMinor } from '../../domain/payments/paymentState.ts';
import { derivedId } from '../../infra/ids.ts';
import { createLogger } from '../../infra/log.ts';
import { BOOKING, id, paymentTerms } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { type Habit, officeProvider } from '../payments/officeProvider.ts';

const PAYMENT = id(1);
const AMOUNT = 20_000;
const log = createLogger({ level: 'silent' });

type Act =
  | { readonly what: 'pay'; readonly declines: boolean }
  | { readonly what: 'office'; readonly how: 'capture' | 'void' | 'refund'; readonly minor: number }
  | { readonly what: 'refund'; readonly minor: number }
  | { readonly what: 'hear' | 'submit' | 'retry' | 'capture' | 'cancel' | 'release' | 'finish' }
  | { readonly what: 'refunding'; readonly how: 'succeeded' | 'pending' | 'refused' }
  | { readonly what: 'lose'; readonly answers: number };

const minor = fc.oneof(fc.constantFrom(5_000, AMOUNT), fc.integer({ min: 1, max: AMOUNT }));
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('pay'), declines: fc.constantFrom(false, false, false, true) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('office'),
      how: fc.constantFrom('refund', 'refund', 'refund', 'capture', 'void'),
      minor,
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('refund'), minor }) },
  {
    weight: 14,
    arbitrary: fc.record({
      what: fc.constantFrom(
        'hear',
        'hear',
        'hear',
        'submit',
        'submit',
        'retry',
        'capture',
        'cancel',
        'release',
        'finish',
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('refunding'), how: fc.constantFrom('succeeded', 'pending', 'refused') }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('lose'), answers: fc.integer({ min: 1, max: 3 }) }) },
) as fc.Arbitrary<Act>;

/** Most payments are paid: nothing can be refunded or released of others. */
const paid: readonly Act[] = [{ what: 'pay', declines: false }, { what: 'hear' }, { what: 'capture' }];
const begins: readonly (readonly Act[])[] = [paid, paid, paid, []];

const createWorld = (habit: Habit, capture: 'automatic' | 'manual', travel: () => Promise<void>) => {
  const office = officeProvider(habit, { paymentId: PAYMENT, amountMinor: AMOUNT, capture }, travel);
  const aggregates = memoryAggregates(travel);
  const { provider } = office;
  const deps = {
    aggregates,
    paymentProviders: { default: provider, byName: new Map([[provider.name, provider]]) },
    settings: {},
    log,
    now: () => new Date().toISOString(),
  } as unknown as PaymentDeps;
  const state = () => aggregates.stateOf(payment, PAYMENT) as OpenPayment;
  const created = { ...paymentTerms, provider: provider.name, capture };
  const page = { userId: created.userId, providerPaymentId: office.id, redirectUrl: 'https://pay.test' };
  aggregates.given(`payment-${PAYMENT}`, [
    { type: 'PaymentCreated', data: created },
    { type: 'PaymentActionRequested', data: page },
  ]);
  let count = 0;
  const context = () => {
    count += 1;
    const commandId = derivedId('office', count);
    return { ...contextOf('system'), commandId, correlationId: commandId, causationId: commandId };
  };
  const refundsOf = (status: string) =>
    Object.entries(state().refunds).flatMap(([refundId, refund]) => (refund.status === status ? [refundId] : []));

  const hear = () => syncPayment(deps, context(), PAYMENT);
  const submit = async () => {
    for (const refundId of refundsOf('pending')) await submitRefund(deps, context(), PAYMENT, refundId);
  };
  const retry = async () => {
    const [refundId] = refundsOf('manual_review');
    if (refundId) await aggregates.handle(payment, PAYMENT, { type: 'RetryRefund', refundId }, context());
  };
  const releaseNow = async () => {
    const before = state().released.length;
    const data = { itemId: BOOKING, paymentId: PAYMENT };
    await release.run({ id: BOOKING, data, attempt: 1 }, { deps, context: context() } as never);
    return state().released.length > before;
  };
  return { office, deps, context, state, refundsOf, hear, submit, retry, releaseNow };
};
type World = ReturnType<typeof createWorld>;

const perform = async (world: World, given: Act): Promise<void> => {
  const { office, deps, context } = world;
  switch (given.what) {
    case 'pay':
      return office.payer(given.declines);
    case 'office':
      return office.office(given.how, given.minor);
    case 'finish':
      return office.finishRefunds();
    case 'refunding':
      office.there.refunding = given.how;
      return;
    case 'lose':
      office.there.losing = given.answers;
      return;
    case 'hear':
      await world.hear();
      return;
    case 'submit':
      return world.submit();
    case 'retry':
      return world.retry();
    case 'capture':
      await capturePayment(deps, context(), PAYMENT);
      return;
    case 'cancel':
      await cancelPayment(deps, context(), PAYMENT, 'not_needed');
      return;
    case 'refund': {
      const own = context();
      const refundId = derivedId(own.commandId, 'refund');
      const asked = { itemId: BOOKING, amountMinor: given.minor, cause: 'requested' } as const;
      await deps.aggregates.handle(payment, PAYMENT, { type: 'RequestRefund', refundId, ...asked }, own);
      return;
    }
    case 'release':
      await world.releaseNow();
  }
};

const isExpected = (error: unknown): boolean => changedNothing(error) || error instanceof ProviderError;

/** Whether a person is asked to look. */
const isInReview = ({ state, refundsOf }: World): boolean =>
  isInDispute(state()) || refundsOf('manual_review').length > 0;

/** Nothing is under way any more, and everything has been asked about. */
const settle = async (world: World): Promise<void> => {
  const { office } = world;
  office.there.losing = 0;
  office.there.refunding = 'succeeded';
  for (let round = 0; round < 4; round += 1) {
    office.finishRefunds();
    await world.hear();
    await world.submit();
  }
};

const expectAllIsWell = (world: World): void => {
  const { office, state } = world;
  const ours = state();
  const what = JSON.stringify({ ours, there: office.there });
  if (isInReview(world)) return;
  const held = ours.status === 'succeeded' ? ours.capturedMinor - refundedMinor(ours) : 0;
  expect(held, `what the provider has is what we believe: ${what}`).toBe(office.heldMinor());
  if (ours.status !== 'succeeded') return;
  expect(refundedMinor(ours), what).toBe(office.refundedMinor());
  expect(leftMinor(ours, BOOKING), `what is left is shared out: ${what}`).toBe(office.heldMinor());
};

describe.each(['listing', 'silent'] as const)('an office at a provider (%s)', (habit) => {
  it.each(['automatic', 'manual'] as const)(
    'cannot have us believe or pay out what is not there (%s)',
    async (capture) => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.constantFrom(...begins),
          fc.array(act, { maxLength: 6 }),
          fc.array(fc.array(act, { maxLength: 10 }), { maxLength: 3 }),
          async (scheduler, begun, later, actors) => {
            let travel = async () => undefined as undefined;
            const world = createWorld(habit, capture, () => travel());
            const attempt = (each: Act) =>
              perform(world, each).catch((error: unknown) => {
                if (!isExpected(error)) throw error;
              });
            await world.hear();
            for (const each of [...begun, ...later]) await attempt(each);
            const turn = scheduler.scheduleFunction(async () => undefined);
            travel = () => turn();
            const acting = actors.map(async (acts) => {
              for (const each of acts) {
                await turn();
                await attempt(each);
              }
            });
            await scheduler.waitFor(Promise.all(acting));
            travel = async () => undefined;
            const releasedBefore = world.state().released.length;
            if (releasedBefore === 0 && (await world.releaseNow().catch(() => false))) {
              const { state, office } = world;
              // What is set apart for refunds of ours may be there or not.
              const apart = Object.values(state().refunds).reduce(
                (sum, each) =>
                  sum + (each.status === 'pending' || each.status === 'manual_review' ? each.amountMinor : 0),
                0,
              );
              const rest = leftMinor(state(), BOOKING) - apart;
              expect(rest, JSON.stringify({ ours: state(), there: office.there })).toBeLessThanOrEqual(
                office.heldMinor(),
              );
            }
            await settle(world);
            expectAllIsWell(world);
          },
        ),
        { numRuns: 150 },
      );
    },
  );
});
