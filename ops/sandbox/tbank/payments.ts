/**
 * T-Bank's view of the sandbox's payments, according to "Статусная модель платежа" and the methods of
 * https://developer.tbank.ru/eacq/api. Pure; the steps themselves are in `payments/payments.ts`.
 */
import type { Static } from '@sinclair/typebox';
import { CURRENCY, type Init } from '../../../commands/payments/tbank/api.ts';
import { type Amount, toAmount, toMinorUnits } from '../../../commands/payments/yookassa/api.ts';
import { ApiError } from '../core/apiError.ts';
import { type CreateContext, createPayment, type PaymentRecord } from '../payments/payments.ts';

/** An error of T-Bank: a reply with status 200 and a code of "Коды ошибок". */
export const no = (code: string, details: string): ApiError => new ApiError(200, code, details);

export const kopecks = (amount: Amount | undefined): number => (amount ? toMinorUnits(amount) : 0);
export const rubles = (minor: number): Amount => toAmount(minor, CURRENCY);

/** `Init`. */
export const initiate = (input: Static<typeof Init>, context: CreateContext): PaymentRecord => {
  if (input.Amount <= 0) throw no('251', 'Неверная сумма. Сумма должна быть больше или равна 1 копеек');
  if (input.Recurrent && !input.CustomerKey) throw no('309', 'Поле CustomerKey не должно быть пустым');
  const { record } = createPayment(
    {
      amount: rubles(input.Amount),
      capture: input.PayType !== 'T',
      confirmation: { type: 'redirect', return_url: input.SuccessURL ?? context.pageUrl },
      save_payment_method: input.Recurrent === 'Y',
      ...(input.Description && { description: input.Description }),
    },
    context,
  );
  return {
    ...record,
    provider: 'tbank',
    tbank: {
      orderId: input.OrderId,
      ...(input.CustomerKey && { customerKey: input.CustomerKey }),
      ...(input.NotificationURL && { notificationUrl: input.NotificationURL }),
    },
    ...(input.FailURL && { failUrl: input.FailURL }),
    ...(input.RedirectDueDate && { confirmBy: new Date(input.RedirectDueDate).toISOString() }),
  };
};

/** `AddCard`: a payment of zero that saves its card. */
export const bindCard = (customerKey: string, requestKey: string, context: CreateContext): PaymentRecord => {
  const input = {
    Amount: 1,
    OrderId: requestKey,
    CustomerKey: customerKey,
    Recurrent: 'Y',
    Description: 'Save a card',
  };
  const record = initiate({ ...input, TerminalKey: context.shopId, Token: '' } as Static<typeof Init>, context);
  return {
    ...record,
    object: { ...record.object, amount: rubles(0) },
    tbank: { orderId: requestKey, customerKey, requestKey },
  };
};

export const statusOf = ({ object, step, isShown }: PaymentRecord): string => {
  switch (object.status) {
    case 'pending':
      return step === 'challenge' ? '3DS_CHECKING' : isShown ? 'FORM_SHOWED' : 'NEW';
    case 'waiting_for_capture':
      return 'AUTHORIZED';
    case 'succeeded':
      if (!object.refunded_amount) return 'CONFIRMED';
      return kopecks(object.refunded_amount) < kopecks(object.amount) ? 'PARTIAL_REFUNDED' : 'REFUNDED';
    case 'canceled': {
      const reason = object.cancellation_details?.reason;
      if (reason === 'expired_on_confirmation') return 'DEADLINE_EXPIRED';
      if (reason === '3d_secure_failed') return 'AUTH_FAIL';
      // Only a reserved payment has an expiry.
      if (reason === 'canceled_by_merchant' || reason === 'expired_on_capture')
        return object.expires_at ? 'REVERSED' : 'CANCELED';
      return 'REJECTED';
    }
  }
};

/** "Коды ошибок" for the declines of the test cards. */
const CODES: Readonly<Record<string, string>> = {
  '3d_secure_failed': '101',
  call_issuer: '1001',
  card_expired: '1054',
  fraud_suspected: '1059',
  insufficient_funds: '1051',
  invalid_card_number: '1015',
  invalid_csc: '1082',
  issuer_unavailable: '1091',
  payment_method_limit_exceeded: '1061',
  payment_method_restricted: '1062',
};

const isDeclined = (record: PaymentRecord): boolean => ['AUTH_FAIL', 'REJECTED'].includes(statusOf(record));

const errorCodeOf = (record: PaymentRecord): string =>
  isDeclined(record) ? (CODES[record.object.cancellation_details?.reason ?? ''] ?? '1005') : '0';

export const cardOf = ({ object }: PaymentRecord) => {
  const { card, saved } = object.payment_method ?? {};
  if (!card) return undefined;
  return {
    CardId: object.id,
    Pan: `${card.first6}******${card.last4}`,
    ExpDate: `${card.expiry_month}${card.expiry_year?.slice(-2)}`,
    ...(saved && { RebillId: `9${object.id}` }),
  };
};
/** The payment that a `RebillId` comes from. */
export const rebilled = (rebillId: string): string => rebillId.slice(1);

/** A payment in replies and in notifications, without `Token`. */
export const viewOf = (record: PaymentRecord, status = statusOf(record)) => ({
  TerminalKey: record.object.recipient.account_id,
  OrderId: record.tbank?.orderId ?? '',
  Success: !isDeclined(record),
  Status: status,
  PaymentId: record.object.id,
  ErrorCode: errorCodeOf(record),
  Amount: kopecks(record.object.amount),
});

/** "Способы получения данных о платеже": how it was paid. */
export const paramsOf = ({ object }: PaymentRecord) => [
  { Key: 'Route', Value: 'ACQ' },
  { Key: 'Source', Value: object.payment_method?.type === 'sbp' ? 'qrsbp' : 'cards' },
];

/** `GetAddCardState`. */
export const bindingOf = (record: PaymentRecord) => {
  const status = statusOf(record);
  const card = cardOf(record);
  const done = status === 'CONFIRMED';
  const open: Record<string, string> = { NEW: 'NEW', FORM_SHOWED: 'FORM_SHOWED', '3DS_CHECKING': 'THREE_DS_CHECKING' };
  return {
    TerminalKey: record.object.recipient.account_id,
    RequestKey: record.tbank?.requestKey,
    CustomerKey: record.tbank?.customerKey,
    Status: done ? 'COMPLETED' : (open[status] ?? 'REJECTED'),
    Success: done || status in open,
    ErrorCode: errorCodeOf(record),
    ...(done && card && { CardId: card.CardId, RebillId: card.RebillId }),
  };
};
