/**
 * The write side, step by step: guests, owners, the payment provider, policies and jobs each take one step at a time, in
 * any order, on a simulated clock. All code and stores are real, except the provider and the clock.
 */

import {
  cancelBooking,
  confirmBooking,
  createBooking,
  rejectBooking,
  updateBooking,
} from '../../commands/bookings/bookings.ts';
import { withdrawProposal } from '../../commands/bookings/changes.ts';
import { markNoShow, withdrawNoShow } from '../../commands/bookings/noShows.ts';
import type { BookingRequest } from '../../commands/bookings/quote.ts';
import { bookTrip } from '../../commands/bookings/trips.ts';
import { type CommandContext, createAggregates, followUp } from '../../commands/core/handle.ts';
import { quotedPasses } from '../../commands/passes/passes.ts';
import { receiveNotification } from '../../commands/payments/inbox.ts';
import { ProviderError, type ProviderStatus } from '../../commands/payments/paymentProvider.ts';
import { cancelOwnPayment, processPayment } from '../../commands/payments/payments.ts';
import { refundPayment } from '../../commands/payments/refunds.ts';
import { buy } from '../../commands/purchases/buyAtOnce.ts';
import { cancelPurchase } from '../../commands/purchases/cancelPurchase.ts';
import { type Inventory, type InventoryEvent, inventory } from '../../domain/catalog/inventory.ts';
import { addDays } from '../../domain/core/dates.ts';
import { type Actor, changedNothing, streamName } from '../../domain/core/decider.ts';
import { HOUR_MS, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { derivedId } from '../../infra/ids.ts';
import type { Node } from '../bookings/stage.ts';
import { changed } from '../kit/deps.ts';
import type { FakeProvider } from '../payments/fakeProvider.ts';
import { createMachine, dyingBefore, type Turn } from './machine.ts';
import type { Offer } from './resort.ts';
import { createScheduler } from './scheduler.ts';
import type { Attempt, InterruptedAct, Step } from './steps.ts';

const WAITS = [MINUTE_MS, 4 * MINUTE_MS, 10 * MINUTE_MS, 20 * MINUTE_MS, 31 * MINUTE_MS, 25 * HOUR_MS];
const GUESTS = 4;
const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % from.length];

/** Refusals that a correct system can give. Any other error is a defect. */
const isAnswer = (error: unknown): boolean =>
  changedNothing(error) || error instanceof ProviderError || error instanceof StoreUnavailable;

/** The provider's transitions; a final state is never left. */
const PROVIDER_SAYS = ['succeeded', 'processing', 'failed', 'authorized', 'cancelled', 'succeeded'] as const;
const ENDS: readonly string[] = ['succeeded', 'failed', 'cancelled', 'expired'];
const REFUNDS = ['succeeded', 'pending', 'failed', 'refused'] as const;

export interface Setting {
  /** Start of the simulated clock, RFC 3339. */
  readonly start: string;
  readonly offers: readonly Offer[];
  /** All ids derive from it. */
  readonly name: string;
  /** A ski pass that the resort sells. */
  readonly tariffId: string;
  /** Whether payments are captured at once or authorized first. */
  readonly capture: 'automatic' | 'manual';
}

export const createSimulation = (
  newNode: () => Node,
  provider: FakeProvider,
  { start, offers, name, tariffId, capture }: Setting,
) => {
  const time = { ms: Date.parse(start) };
  const now = (): string => instantOf(time.ms);
  const schedulers = { main: createScheduler(), meanwhile: createScheduler() };
  const startNode = (turn: Turn): Node => {
    const node = newNode();
    const store = turn === 'deeper' ? node.store : schedulers[turn].interruptible(node.store);
    const aggregates = createAggregates(store, node.codec);
    return changed(node, { now, store, aggregates, settings: { paymentCapture: capture } });
  };
  /** Money that needs a capture is not taken before it. */
  const say = (paymentId: string, status: ProviderStatus): void =>
    provider.says(paymentId, capture === 'manual' && status === 'succeeded' ? 'authorized' : status);
  /** Processes with their own caches: one does not see what another wrote. */
  const nodes = {
    main: [startNode('main'), startNode('main')],
    meanwhile: [startNode('meanwhile'), startNode('meanwhile')],
    deeper: [startNode('deeper'), startNode('deeper')],
  };
  const machine = createMachine(startNode, time);
  /** The stock before the history. */
  const stock = new Map<string, Inventory>();
  const bookings: { id: string; guest: string; offer: Offer; trip?: string }[] = [];
  const purchases: { id: string; guest: string }[] = [];
  const unanswered: (() => Promise<unknown>)[] = [];
  let count = 0;
  const before = provider.known().length;

  const guest = (n: number): string => derivedId('model', name, 'guest', n % GUESTS);
  const contextFor = (actor: Actor): CommandContext => {
    count += 1;
    const commandId = derivedId('model', name, count);
    return { correlationId: commandId, causationId: commandId, commandId, actor, ip: null, at: now() };
  };
  const user = (id: string, role = 'tourist'): Actor => ({ kind: 'user', id, role });

  /** Requests without an answer, which may be repeated unchanged. */
  const ask = async ({ who, dies, turn }: Attempt, work: (node: Node) => Promise<unknown>): Promise<void> => {
    const node = pick(nodes[turn], who) as Node;
    try {
      await work(dyingBefore(node, dies));
    } catch (error) {
      if (!isAnswer(error)) throw error;
      if (changedNothing(error)) return;
      unanswered.push(() => work(pick(nodes.meanwhile, who + 1) as Node));
    }
  };

  /** A payment has three different notifications; each may arrive any number of times. */
  const notify = (step: Attempt, paymentId: string): Promise<void> => {
    const body = { event: `${paymentId}-${step.how % 3}`, id: `fake-${paymentId}` };
    const notification = { headers: {}, rawBody: Buffer.from(JSON.stringify(body)), ip: null };
    return ask(step, (node) => receiveNotification(node, contextFor(user('provider')), 'fake', notification));
  };

  /** A guest pays for a booking, or for the rest of its trip. */
  const payFor = async (step: Attempt, booking: (typeof bookings)[number]): Promise<void> => {
    const { how } = step;
    const context = contextFor(user(booking.guest));
    const method = how % 3 === 0 ? 'sbp' : 'card';
    // Usually a trip is paid as a whole.
    const together = bookings.filter(({ id, trip }) => id === booking.id || (how > 1 && trip && trip === booking.trip));
    const things = together.map(({ id }) => ({ kind: 'booking', id }) as const);
    await ask(step, (node) => processPayment(node, context, { things, method }));
    // Most payers who start a payment finish it.
    const begun = derivedId(context.commandId, 'payment');
    const status = how === 1 ? 'authorized' : 'succeeded';
    if (how < 4 && provider.known().includes(begun)) say(begun, status);
    if (how < 4) await notify(step, begun);
  };

  /** Bookings that have been paid. */
  const paidBookings = async () => {
    const paid = (await machine.readOn()).filter(({ type }) => type === 'BookingPaid').map(({ stream }) => stream);
    return bookings.filter(({ id }) => paid.includes(streamName('booking', id)));
  };

  const attempt = async (step: Attempt): Promise<void> => {
    const { what, who, which, how, dies, turn } = step;
    const booking = pick(bookings, which);
    const paymentId = pick(provider.known().slice(before), which);
    switch (what) {
      case 'book': {
        const offer = pick(offers, which) as Offer;
        const request = pick(offer.requests, how) as BookingRequest;
        const context = contextFor(user(guest(who)));
        bookings.push({ id: derivedId(context.commandId, 'booking'), guest: guest(who), offer });
        return ask(step, (node) => createBooking(node, context, request));
      }
      case 'trip': {
        const context = contextFor(user(guest(who)));
        const parts = [pick(offers, which), pick(offers, which + 1)] as Offer[];
        const items = parts.map(({ requests }) => pick(requests, how) as BookingRequest);
        for (const [n, offer] of parts.entries()) {
          const id = derivedId(followUp(context, `item ${n}`).commandId, 'booking');
          bookings.push({ id, guest: guest(who), offer, trip: context.commandId });
        }
        return ask(step, (node) => bookTrip(node, context, { items }));
      }
      case 'buy': {
        const context = contextFor(user(guest(who)));
        purchases.push({ id: derivedId(context.commandId, 'purchase'), guest: guest(who) });
        const quote = quotedPasses({ tariffId, validFrom: '2026-12-09', quantity: 1 + how, withCards: false });
        return ask(step, (node) => buy(node, context, quote, { method: 'card' }));
      }
      case 'give_up': {
        const purchase = pick(purchases, which);
        if (!purchase) return;
        const context = contextFor(how % 3 === 0 ? user(guest(9), 'admin') : user(purchase.guest));
        return ask(step, (node) => cancelPurchase(node, context, purchase.id, null));
      }
      case 'pay': {
        if (booking) await payFor(step, booking);
        return;
      }
      case 'provider':
        if (paymentId && !ENDS.includes(provider.statusOf(paymentId)))
          say(paymentId, pick(PROVIDER_SAYS, how) as ProviderStatus);
        return;
      case 'notify': {
        if (paymentId) await notify(step, paymentId);
        return;
      }
      case 'change': {
        // Paid bookings more often, and most of those who propose a change pay for it.
        const changed = pick(how > 0 ? await paidBookings() : bookings, which) ?? booking;
        const request = changed && pick(changed.offer.requests, how);
        if (!request) return;
        const { type, itemId, ...terms } = request;
        const context = contextFor(how === 3 ? user(guest(9), 'admin') : user(changed.guest));
        await ask(step, (node) => updateBooking(node, context, changed.id, terms));
        if (how % 3 > 0) await payFor(step, changed);
        return;
      }
      case 'keep_terms': {
        if (!booking) return;
        const context = contextFor(user(booking.guest));
        return ask(step, (node) => withdrawProposal(node, context, booking.id));
      }
      case 'cancel': {
        if (!booking) return;
        const actor = pick(
          [user(booking.guest), user(booking.offer.ownerId, 'hotelier'), user(guest(9), 'admin')],
          how,
        );
        const context = contextFor(actor as Actor);
        return ask(step, (node) => cancelBooking(node, context, booking.id, null));
      }
      case 'confirm': {
        // Owners answer paid bookings.
        const asked = pick(how < 4 ? await paidBookings() : bookings, which);
        if (!asked) return;
        const context = contextFor(user(asked.offer.ownerId, 'hotelier'));
        return ask(step, (node) => confirmBooking(node, context, asked.id));
      }
      case 'reject':
      case 'no_show': {
        if (!booking) return;
        const context = contextFor(user(booking.offer.ownerId, 'hotelier'));
        if (what === 'reject') return ask(step, (node) => rejectBooking(node, context, booking.id, null));
        // Some guests came after all.
        const answer = how % 3 === 0 ? withdrawNoShow : markNoShow;
        return ask(step, (node) => answer(node, context, booking.id));
      }
      case 'shorten': {
        // Of bookings that are paid; most others are refused.
        const left = pick(how > 0 ? await paidBookings() : bookings, which) ?? booking;
        const request = left?.offer.requests.find(({ type }) => type === 'hotel');
        if (!left || request?.type !== 'hotel') return;
        const context = contextFor(user(left.offer.ownerId, 'hotelier'));
        const checkOut = addDays(now().slice(0, 10), how % 3);
        const refund = how % 2 === 0 ? {} : { refund: 10 * how };
        return ask(step, (node) => updateBooking(node, context, left.id, { checkOut, ...refund }));
      }
      case 'refund': {
        if (!paymentId) return;
        const context = contextFor(user(guest(9), 'admin'));
        const itemId = booking?.id ?? '';
        const amount = how % 2 === 0 ? {} : { amount: 10 + how };
        return ask(step, (node) => refundPayment(node, context, { paymentId, itemId, ...amount }));
      }
      case 'refunds':
        provider.refunds = pick(REFUNDS, how) as 'succeeded';
        return;
      case 'stop_paying': {
        if (!booking || !paymentId) return;
        const context = contextFor(user(booking.guest));
        return ask(step, (node) => cancelOwnPayment(node, context, paymentId));
      }
      case 'away':
        provider.away = how % 2 === 0;
        return;
      case 'repeat': {
        const again = unanswered.shift();
        await again?.().catch((error: unknown) => {
          if (!isAnswer(error)) throw error;
        });
        return;
      }
      case 'wait':
        time.ms += pick(WAITS, how) ?? 0;
        return;
      case 'policy':
        return machine.follow(turn, which, 1 + how * 3, dies);
      case 'job':
        return machine.runJob(turn, which, dies);
      case 'work':
        return machine.work(turn);
    }
  };

  const interrupted = ({ meanwhile, ...act }: InterruptedAct): Promise<void> => {
    const work = () => attempt({ ...act, dies: null, turn: 'meanwhile' });
    if (meanwhile === null) return work();
    const others = async (): Promise<void> => {
      for (const each of meanwhile.acts) await attempt({ ...each, dies: null, turn: 'deeper' });
    };
    return schedulers.meanwhile.interrupting(meanwhile.appends, others, work);
  };

  const perform = async ({ meanwhile, ...step }: Step): Promise<void> => {
    const work = () => attempt({ ...step, turn: 'main' });
    if (meanwhile === null) return work();
    const others = async (): Promise<void> => {
      for (const act of meanwhile.acts) await interrupted(act);
    };
    return schedulers.main.interrupting(meanwhile.appends, others, work);
  };

  return {
    purchases: purchases as readonly { readonly id: string }[],
    bookings: bookings as readonly { readonly id: string; readonly guest: string; readonly offer: Offer }[],
    now,
    begin: async (): Promise<void> => {
      const { aggregates } = startNode('meanwhile');
      for (const itemId of offers.flatMap(({ itemIds }) => itemIds))
        stock.set(itemId, (await aggregates.load(inventory, itemId)).state);
      await machine.begin();
    },
    perform,
    /** Ends all faults, and advances the clock until nothing more happens. */
    settle: async (): Promise<void> => {
      provider.away = false;
      provider.refunds = 'succeeded';
      for (const again of unanswered)
        await again().catch((error: unknown) => {
          if (!isAnswer(error)) throw error;
        });
      await machine.settle();
    },
    history: machine.history,
    /** The inventory of a unit, from its recorded events. */
    stockOf: async (itemId: string): Promise<Inventory> =>
      (await machine.readOn())
        .filter(({ stream }) => stream === streamName(inventory.category, itemId))
        .reduce(
          (state, { type, data }) => inventory.evolve(state, { type, data } as InventoryEvent),
          stock.get(itemId) ?? inventory.initial,
        ),
    /** A process with an empty cache. */
    fresh: () => startNode('meanwhile'),
  };
};
export type Simulation = ReturnType<typeof createSimulation>;
