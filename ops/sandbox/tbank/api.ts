/**
 * T-Bank's acquiring API, under `/tbank/v2`: the methods, shapes and error codes of
 * https://developer.tbank.ru/eacq/api, for payments on the bank's page, by the fast payment system and by saved cards.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import type { Static, TObject } from '@sinclair/typebox';
import * as api from '../../../commands/payments/tbank/api.ts';
import { explain, validator } from '../../../infra/validation.ts';
import type { ApiError } from '../core/apiError.ts';
import type { Failures } from '../core/failures.ts';
import { issued, receiptFault } from '../core/receipts.ts';
import type { State } from '../core/state.ts';
import type { PaymentService } from '../payments/paymentService.ts';
import { approve, cancel, capture, type PaymentRecord, refund, withdraw } from '../payments/payments.ts';
import {
  bindCard,
  bindingOf,
  cardOf,
  initiate,
  kopecks,
  no,
  paramsOf,
  rebilled,
  rubles,
  statusOf,
  viewOf,
} from './payments.ts';

export const TBANK_PREFIX = '/tbank/v2';
/** Of the cash register. */
export const REGISTER_PREFIX = '/tbank/cashbox';

export interface TbankApiOptions {
  readonly state: State;
  readonly service: PaymentService;
  readonly failures: Failures;
  readonly pageUrl: (paymentId: string) => string;
  readonly confirmWithinMs: number;
  /** The only terminal, and the password that it signs with. */
  readonly terminalKey: string;
  readonly password: string;
}

type Done = { readonly [field: string]: unknown } | readonly object[];

export const mountTbankApi = (router: Router, options: TbankApiOptions): void => {
  const { service, failures, terminalKey, password } = options;
  const on = <T extends TObject>(
    method: string,
    schema: T,
    answer: (input: Static<T>) => Done,
    prefix = TBANK_PREFIX,
  ) => {
    const fits = validator(schema);
    router.post(`${prefix}/${method}`, async (ctx) => {
      const body: unknown = ctx.request.body;
      const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
      if (fields.TerminalKey !== terminalKey) throw no('205', 'Указанный терминал не найден');
      if (fields.Token !== api.tokenOf(fields, password)) throw no('204', 'Неверный токен');
      if (!fits(fields)) throw no('9999', `Неверные параметры: ${explain(fits.errors)}`);
      await failures.before(ctx, no('4', 'Refused (requested failure)'));
      const done = answer(fields);
      await failures.after(ctx);
      ctx.body = Array.isArray(done)
        ? done
        : { Success: true, ErrorCode: '0', Message: 'OK', TerminalKey: terminalKey, ...done };
    });
  };
  mountPayments(on, options);
  on('SendClosingReceipt', api.SendClosingReceipt, (input) => closeReceipt(input, options), REGISTER_PREFIX);
  mountCards(on, options, service);
};

type On = <T extends TObject>(method: string, schema: T, answer: (input: Static<T>) => Done) => void;

/** The body of every error reply. */
export const tbankFault = ({ code, message }: ApiError): object => ({
  Success: false,
  ErrorCode: /^\d+$/.test(code) ? code : '9999',
  Message: message,
  Details: message,
});

/** `SendClosingReceipt`: settles a prepayment. */
const closeReceipt = (
  { PaymentId, Receipt }: Static<typeof api.SendClosingReceipt>,
  { service, state }: TbankApiOptions,
): Done => {
  const record = service.payment(String(PaymentId));
  if (record?.provider !== 'tbank') throw no('255', 'Платеж не найден');
  checkReceipt(Receipt, Receipt.Payments?.AdvancePayment ?? 0);
  state.commit(issued(record.object.id, 'closing', Receipt));
  return {};
};

const contextOf = ({ pageUrl, confirmWithinMs, terminalKey, service }: TbankApiOptions) => {
  const id = String(randomInt(1_000_000_000, 9_999_999_999));
  return { id, shopId: terminalKey, pageUrl: pageUrl(id), at: service.now(), confirmWithinMs };
};

const mountPayments = (on: On, options: TbankApiOptions): void => {
  const { service, state } = options;
  const payment = (id: string | number): PaymentRecord => {
    const record = service.payment(String(id));
    if (record?.provider !== 'tbank') throw no('255', 'Платеж не найден');
    return record;
  };

  on('Init', api.Init, (input) => {
    checkReceipt(input.Receipt, input.Amount);
    const record = initiate(input, contextOf(options));
    service.apply({ record }, issued(record.object.id, 'payment', input.Receipt));
    return { ...viewOf(record), PaymentURL: options.pageUrl(record.object.id) };
  });
  on('GetState', api.OnPayment, ({ PaymentId }) => {
    const record = payment(PaymentId);
    return { ...viewOf(record), Params: paramsOf(record) };
  });
  on('CheckOrder', api.OnOrder, ({ OrderId }) => {
    const records = service.payments().filter(({ tbank }) => tbank?.orderId === OrderId && !tbank.requestKey);
    if (records.length === 0) throw no('335', `OrderId ${OrderId} не найден`);
    // Load each payment again, because one may have expired.
    const Payments = records.reverse().map(({ object }) => {
      const { PaymentId, Amount, Status, Success } = viewOf(payment(object.id));
      return { PaymentId, Amount, Status, Success: String(Success), ErrorCode: 0 };
    });
    return { OrderId, Payments };
  });
  on('Confirm', api.Confirm, ({ PaymentId, Amount }) => {
    const record = payment(PaymentId);
    if (statusOf(record) !== 'AUTHORIZED') throw no('4', 'Изменение статуса запрещено');
    if (Amount !== undefined && Amount > kopecks(record.object.amount)) throw no('330', 'Сумма больше исходной');
    const step = capture(record, Amount === undefined ? undefined : rubles(Amount), service.now());
    service.apply(step);
    return viewOf(step.record);
  });
  on('Cancel', api.Cancel, (input) => cancelOf(payment(input.PaymentId), input, service, state));
  on('Charge', api.Charge, ({ PaymentId, RebillId }) => {
    const record = payment(PaymentId);
    const saved = state.tables.payments.get(rebilled(RebillId));
    const method = saved?.tbank?.isCardRemoved ? undefined : saved?.object.payment_method;
    if (!method?.saved || saved?.provider !== 'tbank') throw no('104', 'Ошибка выполнения рекуррента');
    if (statusOf(record) !== 'NEW') throw no('8', 'Неверный статус транзакции');
    const step = approve({ ...record, object: { ...record.object, payment_method: method } }, service.now());
    service.apply(step);
    return viewOf(step.record);
  });
  on('GetQr', api.GetQr, ({ PaymentId }) => {
    const record = payment(PaymentId);
    if (!['NEW', 'FORM_SHOWED'].includes(statusOf(record))) throw no('8', 'Неверный статус транзакции');
    const { id } = record.object;
    service.apply({
      record: { ...record, object: { ...record.object, payment_method: { type: 'sbp', id, saved: false } } },
    });
    return { OrderId: record.tbank?.orderId, PaymentId: Number(id), Data: options.pageUrl(id) };
  });
};

/** "Receipt": the items must sum to the amount. */
const checkReceipt = (receipt: api.Receipt | undefined, amountMinor: number): void => {
  if (!receipt) return;
  const hasContact = receipt.Email !== undefined || receipt.Phone !== undefined;
  const minor = receipt.Items.map(({ Amount }) => Amount);
  const fault = receiptFault(minor, amountMinor, { hasContact });
  if (fault) throw no('309', fault);
};

/** `Cancel`: its effect depends on the status of the payment. */
const cancelOf = (
  record: PaymentRecord,
  input: Static<typeof api.Cancel>,
  service: PaymentService,
  state: State,
): Done => {
  const { object } = record;
  const { Amount, ExternalRequestId } = input;
  const before = kopecks(object.amount) - kopecks(object.refunded_amount);
  const answered = () => {
    const now = service.payment(object.id) ?? record;
    const after =
      now.object.status === 'canceled' ? 0 : kopecks(now.object.amount) - kopecks(now.object.refunded_amount);
    return {
      ...viewOf(now),
      OriginalAmount: before,
      NewAmount: after,
      ...(ExternalRequestId && { ExternalRequestId }),
    };
  };
  const key = `${object.id}:${ExternalRequestId}`;
  const isKeyed = ExternalRequestId && object.payment_method?.type !== 'sbp';
  if (isKeyed && state.tables.requests.has(key)) return answered();
  const at = service.now();
  const remember = isKeyed
    ? ([['requests', key, { fingerprint: key, table: 'payments', id: object.id, at }]] as const)
    : [];
  switch (statusOf(record)) {
    case 'NEW':
      service.apply(withdraw(record), remember);
      break;
    case 'AUTHORIZED':
      if (Amount !== undefined && Amount !== before) throw no('324', 'Указанный тип отмены не может быть выполнен');
      service.apply(cancel(record), remember);
      break;
    case 'CONFIRMED':
    case 'PARTIAL_REFUNDED': {
      const minor = Amount ?? before;
      if (minor <= 0 || minor > before) throw no('330', 'Сумма в запросе больше чем в оригинальной транзакции');
      const step = refund(record, { payment_id: object.id, amount: rubles(minor) }, { id: randomUUID(), at });
      checkReceipt(input.Receipt, minor);
      service.refund(step.record, step.refund, [...remember, ...issued(object.id, 'refund', input.Receipt)]);
      break;
    }
    default:
      throw no('4', 'Изменение статуса запрещено');
  }
  return answered();
};

const mountCards = (on: On, options: TbankApiOptions, service: PaymentService): void => {
  const ofCustomer = (key: string): PaymentRecord[] =>
    service.payments().filter(({ tbank, object }) => tbank?.customerKey === key && object.payment_method?.saved);

  // Customers are not stored, so every customer is known.
  on('AddCustomer', api.AddCustomer, ({ CustomerKey }) => ({ CustomerKey }));
  on('AddCard', api.AddCard, ({ CustomerKey }) => {
    const RequestKey = randomUUID();
    const record = bindCard(CustomerKey, RequestKey, contextOf(options));
    service.apply({ record });
    const { id } = record.object;
    return { PaymentId: Number(id), CustomerKey, RequestKey, PaymentURL: options.pageUrl(id) };
  });
  on('GetAddCardState', api.GetAddCardState, ({ RequestKey }) => {
    const record = service.payments().find(({ tbank }) => tbank?.requestKey === RequestKey);
    if (!record) throw no('502', 'Карта по requestKey не найдена');
    return bindingOf(service.payment(record.object.id) ?? record);
  });
  on('GetCardList', api.GetCardList, ({ CustomerKey }) =>
    ofCustomer(CustomerKey).flatMap((record) => {
      const card = cardOf(record);
      return card ? [{ ...card, Status: record.tbank?.isCardRemoved ? 'D' : 'A', CardType: 0 }] : [];
    }),
  );
  on('RemoveCard', api.RemoveCard, ({ CustomerKey, CardId }) => {
    const record = ofCustomer(CustomerKey).find(({ object }) => object.id === CardId);
    if (!record?.tbank) throw no('107', 'Неверно введен CardId');
    service.apply({ record: { ...record, tbank: { ...record.tbank, isCardRemoved: true } } });
    return { CustomerKey, CardId, CardType: 0, Status: 'D' };
  });
};
