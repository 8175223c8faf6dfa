/** Bookings that are paid on the real stores, for specs. */

import { randomUUID } from 'node:crypto';
import { beforeAll, expect } from 'vitest';
import type { Aggregates } from '../../commands/core/handle.ts';
import { paymentPolicy } from '../../commands/payments/policy.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { createStage, type Node, type Settings, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

export let stage: Stage;
export const begin = async (settings: Settings = {}) => {
  stage = await createStage(await freshStores(), settings);
};

export const notify = (...about: Parameters<Stage['notify']>) => stage.notify(...about);
export const inbox = () => stage.inbox();

export const booked = async (guest = randomUUID()) => ({ guest, ...(await stage.book(guest)) });
/** A booking whose payment waits for the payer. */
export const started = async () => {
  const { guest, bookingId } = await booked();
  const { paymentId } = await stage.pay(bookingId, guest);
  return { guest, bookingId, paymentId };
};
export const paid = async () => {
  const begun = await started();
  stage.provider.says(begun.paymentId, 'succeeded');
  await notify(begun.paymentId);
  await stage.untilBooking(begun.bookingId, 'paid');
  return begun;
};
export const refundsOf = async (paymentId: string) =>
  Object.values((await stage.payment(paymentId)).refunds).map(({ amountMinor, status }) => ({ amountMinor, status }));
export const untilRefunded = (paymentId: string, status = 'succeeded') =>
  until(async () => (await refundsOf(paymentId)).some((refund) => refund.status === status) || undefined);
export const onlyHold = async () => [...(await stage.stock()).holds].map(([, hold]) => hold)[0];

export const settled = (work: Promise<{ paymentId: string }>): Promise<{ paymentId: string | undefined }> =>
  work.catch((error: { code?: string }) => {
    expect(error.code).toBe('payment_open');
    return { paymentId: undefined };
  });

/** Two of its commands of this name wait for each other: what each was decided on has passed when they are given. */
export const meetingAt = (node: Node, command: string): Node => {
  const waiting: (() => void)[] = [];
  const aggregates: Aggregates = {
    ...node.aggregates,
    handle: async (decider, id, given, context) => {
      if ((given as { type?: string }).type === command)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length >= 2) for (const go of waiting) go();
        });
      return node.aggregates.handle(decider, id, given, context);
    },
  };
  return changed(node, { aggregates });
};

/** What the policy does when a payment succeeded. */
export const succeeded = async (deps: Node, paymentId: string): Promise<void> => {
  const events = await deps.codec.decode<Recorded>(await deps.store.read(`payment-${paymentId}`));
  const event = events.find(({ type }) => type === 'PaymentSucceeded');
  await paymentPolicy.handlers.get('PaymentSucceeded')?.(event as never, { deps, context: contextOf('system') });
};

/** Registers what each spec file starts and stops. */
export const setUpPaying = (): void => {
  beforeAll(async () => {});
};
