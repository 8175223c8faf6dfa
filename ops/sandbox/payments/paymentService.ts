/** The payment service: reads payments as they are now, and stores each step together with its notifications. */
import type { Refund } from '../../../commands/payments/yookassa/api.ts';
import type { Logger } from '../../../infra/log.ts';
import type { NotificationFormats } from '../core/notificationFormats.ts';
import type { Notifications } from '../core/notifications.ts';
import type { Change, State } from '../core/state.ts';
import { expire, isPending, type PaymentRecord, type Step } from './payments.ts';

export interface PaymentService {
  now(): string;
  /** Finds the payment, and expires it if its time is over. */
  payment(id: string | undefined): PaymentRecord | undefined;
  /** Newest first. */
  payments(): PaymentRecord[];
  /** Stores a step, together with the changes of `also`. */
  apply(step: Step, also?: readonly Change[]): void;
  /** Records that the payer has seen the page. */
  show(record: PaymentRecord): void;
  refund(record: PaymentRecord, refund: Refund, also: readonly Change[]): void;
  /** Expires all payments that are due, so that the shop is notified. */
  sweep(): void;
}

export const createPaymentService = (
  state: State,
  notifications: Notifications,
  formats: NotificationFormats,
  log: Logger,
): PaymentService => {
  const service: PaymentService = {
    now: () => new Date().toISOString(),
    payment: (id) => {
      const record = id === undefined ? undefined : state.tables.payments.get(id);
      if (!record) return undefined;
      const step = expire(record, service.now());
      if (step.record !== record) service.apply(step);
      return step.record;
    },
    payments: () => [...state.tables.payments.values()].reverse(),
    apply: (step, also = []) => {
      const { record } = step;
      const { object } = record;
      const messages = formats[record.provider].step(state.tables.payments.get(object.id), step);
      const queued = notifications.about(record, messages);
      state.commit([['payments', object.id, record], ...queued, ...also]);
      log.info({ payment_id: object.id, status: object.status, step: record.step }, 'sandbox payment');
      notifications.wake();
    },
    show: (record) => {
      if (isPending(record) && !record.isShown)
        state.commit([['payments', record.object.id, { ...record, isShown: true }]]);
    },
    refund: (record, refund, also) => {
      const queued = notifications.about(record, formats[record.provider].refund(record, refund));
      const shopId = record.object.recipient.account_id;
      state.commit([
        ['payments', record.object.id, record],
        ['refunds', refund.id, { object: refund, shopId }],
        ...queued,
        ...also,
      ]);
      log.info({ payment_id: refund.payment_id, refund_id: refund.id }, 'sandbox refund');
      notifications.wake();
    },
    sweep: () => {
      for (const id of state.tables.payments.keys()) service.payment(id);
    },
  };
  return service;
};
