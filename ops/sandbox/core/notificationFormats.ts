/** How each provider tells the shop what happened. Payments, page and delivery are shared by all of them. */
import type { Refund } from '../../../commands/payments/yookassa/api.ts';
import type { MethodRecord } from '../payments/methods.ts';
import type { PaymentRecord, Provider, Step } from '../payments/payments.ts';

export interface Notification {
  /** For the log. */
  readonly event: string;
  readonly body: object;
}

export interface NotificationFormat {
  /** What is told of a step, in order; nothing of one that led nowhere. */
  step(before: PaymentRecord | undefined, step: Step): readonly Notification[];
  refund(record: PaymentRecord, refund: Refund): readonly Notification[];
  url(record: PaymentRecord | MethodRecord): string;
  /** What proves the notification, where it is not in the body. */
  headers(id: string, body: string): Readonly<Record<string, string>>;
  /** Whether the shop's answer says that it has it. Else it is told again. */
  taken(status: number, text: string): boolean;
}

export type NotificationFormats = Readonly<Record<Provider, NotificationFormat>>;
