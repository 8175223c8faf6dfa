/** How each provider notifies the shop. Payments, the payment page and delivery are shared by all providers. */
import type { Refund } from '../../../commands/payments/yookassa/api.ts';
import type { MethodRecord } from '../payments/methods.ts';
import type { PaymentRecord, Provider, Step } from '../payments/payments.ts';

export interface Notification {
  /** Name of the event, for the log. */
  readonly event: string;
  readonly body: object;
}

export interface NotificationFormat {
  /** Notifications of a step, in order; none for a step without effect. */
  step(before: PaymentRecord | undefined, step: Step): readonly Notification[];
  refund(record: PaymentRecord, refund: Refund): readonly Notification[];
  url(record: PaymentRecord | MethodRecord): string;
  /** Headers that authenticate the notification; empty when the body does. */
  headers(id: string, body: string): Readonly<Record<string, string>>;
  /** Whether the shop's answer accepts the notification. If not, it is sent again. */
  accepts(status: number, text: string): boolean;
}

export type NotificationFormats = Readonly<Record<Provider, NotificationFormat>>;
