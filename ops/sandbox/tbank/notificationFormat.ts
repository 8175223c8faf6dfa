/**
 * T-Bank's notifications: "Уведомления об операциях". The token in the body authenticates them, and the reply `OK`
 * accepts them.
 */
import { tokenOf } from '../../../commands/payments/tbank/api.ts';
import type { Notification, NotificationFormat } from '../core/notificationFormats.ts';
import type { PaymentRecord, Step } from '../payments/payments.ts';
import { cardOf, statusOf, viewOf } from './payments.ts';

export const tbankFormat = (url: string, password: string): NotificationFormat => {
  const notification = (record: PaymentRecord, status: string): Notification => {
    const fields = { ...viewOf(record, status), ...cardOf(record), PaymentId: Number(record.object.id) };
    return { event: status, body: { ...fields, Token: tokenOf(fields, password) } };
  };
  return {
    step: (before, step) => statuses(before, step).map((status) => notification(step.record, status)),
    refund: (record) => [notification(record, statusOf(record))],
    url: (record) => ('tbank' in record ? record.tbank?.notificationUrl : undefined) ?? url,
    headers: () => ({}),
    accepts: (status, text) => status === 200 && text === 'OK',
  };
};

/**
 * The bank notifies of a reservation before every payment, also in one stage. It notifies of expired payments only
 * shops that asked for it, and of saved cards only shops with forms of their own.
 */
const statuses = (before: PaymentRecord | undefined, { record, event }: Step): string[] => {
  if (event === undefined || record.tbank?.requestKey !== undefined) return [];
  const now = statusOf(record);
  if (event === 'payment.succeeded' && before?.object.status === 'pending') return ['AUTHORIZED', now];
  return now === 'DEADLINE_EXPIRED' ? [] : [now];
};
