/**
 * The shapes of T-Bank's (formerly Tinkoff's) e-commerce acquiring API v2, as far as they are used here. Source:
 * https://developer.tbank.ru/eacq/api and the OpenAPI description, version 1.80, of
 * https://www.tbank.ru/kassa/dev/payments. Every method is a POST of JSON that answers 200 whether it worked or not:
 * `Success` and `ErrorCode` are the outcome. Amounts are kopecks. Unknown fields are let through, because the bank may
 * add some.
 */
import { createHash } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { OneOf } from '../../../domain/core/schema.ts';

/** The only currency of a terminal, as amounts carry none. */
export const CURRENCY = 'RUB';

/** "Токен" (https://developer.tbank.ru/eacq/intro/developer/token): SHA-256 over the sorted root values and the password. */
export const tokenOf = (fields: Readonly<Record<string, unknown>>, password: string): string => {
  const values = Object.entries({ ...fields, Password: password })
    .filter(([key, value]) => key !== 'Token' && value !== undefined && value !== null && typeof value !== 'object')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => String(value));
  return createHash('sha256').update(values.join('')).digest('hex');
};

/** Text in most answers, a number in some and in notifications. */
const Id = Type.Union([Type.String({ minLength: 1, maxLength: 20 }), Type.Integer()]);
const Key = Type.String({ minLength: 1, maxLength: 36 });
const Kopecks = Type.Integer({ minimum: 0 });
const Signed = { TerminalKey: Type.String({ minLength: 1, maxLength: 20 }), Token: Type.String() };
const Ok = { Success: Type.Literal(true), ErrorCode: Type.String() };

/** The refusal of any method. `ErrorCode` is one of the table "Коды ошибок". */
export const Fault = Type.Object({ Success: Type.Literal(false), ErrorCode: Type.String() });

/** "Структура объекта Receipt", form 1.2; "Структура объекта Items". Amounts are kopecks. */
const ReceiptItem = Type.Object({
  Name: Type.String({ minLength: 1, maxLength: 128 }),
  Price: Kopecks,
  Quantity: Type.Number({ exclusiveMinimum: 0 }),
  Amount: Kopecks,
  Tax: OneOf([
    'none',
    'vat0',
    'vat5',
    'vat7',
    'vat10',
    'vat20',
    'vat22',
    'vat105',
    'vat107',
    'vat110',
    'vat120',
    'vat122',
  ]),
  PaymentMethod: OneOf(['full_prepayment', 'full_payment']),
  PaymentObject: Type.Literal('service'),
  MeasurementUnit: Type.String(),
  AgentData: Type.Optional(Type.Object({ AgentSign: Type.Literal('another') })),
  SupplierInfo: Type.Optional(
    Type.Object({ Phones: Type.Array(Type.String(), { minItems: 1 }), Name: Type.String(), Inn: Type.String() }),
  ),
});
export const Receipt = Type.Object({
  FfdVersion: Type.Literal('1.2'),
  Email: Type.Optional(Type.String()),
  Phone: Type.Optional(Type.String({ pattern: '^\\+\\d+$' })),
  EmailCompany: Type.Optional(Type.String()),
  Taxation: OneOf(['osn', 'usn_income', 'usn_income_outcome', 'esn', 'patent']),
  Items: Type.Array(ReceiptItem, { minItems: 1, maxItems: 100 }),
  /** How it was paid; in a closing receipt: by an earlier prepayment. */
  Payments: Type.Optional(Type.Object({ Electronic: Kopecks, AdvancePayment: Kopecks })),
});
export type Receipt = Static<typeof Receipt>;

/** `SendClosingReceipt`, at the address of the cash register. */
export const SendClosingReceipt = Type.Object({ ...Signed, PaymentId: Id, Receipt });
export const ReceiptSent = Type.Object({ Success: Type.Literal(true), ErrorCode: Type.String() });

/** Most characters of an order's description. */
export const DESCRIPTION = 140;

/** `Init`. `PayType`: `O` takes the money at once, `T` reserves it until `Confirm`. */
export const Init = Type.Object({
  ...Signed,
  Amount: Kopecks,
  OrderId: Key,
  Description: Type.Optional(Type.String({ maxLength: DESCRIPTION })),
  CustomerKey: Type.Optional(Key),
  Recurrent: Type.Optional(Type.Literal('Y')),
  PayType: Type.Optional(OneOf(['O', 'T'])),
  NotificationURL: Type.Optional(Type.String({ format: 'uri' })),
  SuccessURL: Type.Optional(Type.String({ format: 'uri' })),
  FailURL: Type.Optional(Type.String({ format: 'uri' })),
  /** `2016-08-31T12:28:00+03:00`: until then the payer can pay. */
  RedirectDueDate: Type.Optional(Type.String({ format: 'date-time' })),
  DATA: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  Receipt: Type.Optional(Receipt),
});
export const Initiated = Type.Object({
  ...Ok,
  Status: Type.String(),
  PaymentId: Id,
  OrderId: Type.String(),
  Amount: Kopecks,
  PaymentURL: Type.Optional(Type.String()),
});
export type Initiated = Static<typeof Initiated>;

/** `GetState`, and every other method whose only field is the payment. */
export const OnPayment = Type.Object({ ...Signed, PaymentId: Id });
/** The current state of a payment. `Success` is false for a declined one; `ErrorCode` is the reason. */
export const State = Type.Object({
  Success: Type.Boolean(),
  ErrorCode: Type.String(),
  Status: Type.String({ minLength: 1 }),
  PaymentId: Id,
  OrderId: Type.String(),
  Amount: Kopecks,
  Params: Type.Optional(
    Type.Array(Type.Object({ Key: Type.String(), Value: Type.Optional(Type.Union([Type.String(), Type.Number()])) })),
  ),
});
export type State = Static<typeof State>;

/** `CheckOrder`: all payments of one order, oldest first. */
export const OnOrder = Type.Object({ ...Signed, OrderId: Key });
export const Order = Type.Object({
  ...Ok,
  OrderId: Type.String(),
  Payments: Type.Array(Type.Object({ PaymentId: Id, Amount: Type.Optional(Kopecks), Status: Type.String() })),
});
export type OrderPayment = Static<typeof Order>['Payments'][number];

/** `Confirm`: without an amount the whole is taken. */
export const Confirm = Type.Object({ ...Signed, PaymentId: Id, Amount: Type.Optional(Kopecks) });
/** `Cancel`: ends, releases or refunds, depending on the status of the payment. */
export const Cancel = Type.Object({
  ...Signed,
  PaymentId: Id,
  Amount: Type.Optional(Kopecks),
  /** A repeated id has no effect. Ignored for the fast payment system. */
  ExternalRequestId: Type.Optional(Type.String({ maxLength: 256 })),
  Receipt: Type.Optional(Receipt),
});
export const Changed = Type.Object({
  ...Ok,
  Status: Type.String(),
  PaymentId: Id,
  OrderId: Type.String(),
  /** After `Cancel`: what is left. */
  NewAmount: Type.Optional(Kopecks),
});

/** `Charge`: pays what `Init` began, with a saved card. */
export const Charge = Type.Object({ ...Signed, PaymentId: Id, RebillId: Type.String({ minLength: 1 }) });
/** `GetQr`: the link of the fast payment system. */
export const GetQr = Type.Object({ ...Signed, PaymentId: Id, DataType: Type.Optional(OneOf(['PAYLOAD', 'IMAGE'])) });
export const Qr = Type.Object({ ...Ok, OrderId: Type.String(), PaymentId: Id, Data: Type.String() });

export const AddCustomer = Type.Object({ ...Signed, CustomerKey: Key });
export const Customer = Type.Object({ ...Ok, CustomerKey: Type.String() });
/** `AddCard`. `3DSHOLD`: 3-D Secure where the card has it, otherwise the card is saved without a test charge. */
export const AddCard = Type.Object({
  ...Signed,
  CustomerKey: Key,
  CheckType: Type.Optional(OneOf(['NO', 'HOLD', '3DS', '3DSHOLD'])),
});
export const CardAdding = Type.Object({ ...Ok, RequestKey: Type.String({ minLength: 1 }), PaymentURL: Type.String() });
export const GetAddCardState = Type.Object({ ...Signed, RequestKey: Type.String({ minLength: 1 }) });
export const CardState = Type.Object({
  Success: Type.Boolean(),
  Status: Type.String({ minLength: 1 }),
  RequestKey: Type.String(),
  CardId: Type.Optional(Type.String()),
  RebillId: Type.Optional(Type.String()),
  ErrorCode: Type.Optional(Type.String()),
});
export type CardState = Static<typeof CardState>;
export const GetCardList = AddCustomer;
/** `Status`: `A` active, `D` removed. `ExpDate`: `MMYY`. */
export const CardList = Type.Array(
  Type.Object({
    CardId: Type.String(),
    Pan: Type.String(),
    Status: OneOf(['A', 'D']),
    RebillId: Type.Optional(Type.String()),
    ExpDate: Type.Optional(Type.String()),
  }),
);
export const RemoveCard = Type.Object({ ...Signed, CustomerKey: Key, CardId: Type.String({ minLength: 1 }) });
export const RemovedCard = Type.Object({ ...Ok, CardId: Type.String(), Status: Type.String() });

const NotificationFields = {
  TerminalKey: Type.String(),
  Success: Type.Boolean(),
  Status: Type.String({ minLength: 1 }),
  ErrorCode: Type.String(),
  Token: Type.String({ pattern: '^[0-9a-fA-F]{64}$' }),
};
/**
 * "Уведомления об операциях": a payment as it was when its status changed (receipts name one too), and a card that was
 * saved without a payment. The bank reports the latter only to shops that have their own card form.
 */
export const Notification = Type.Union([
  Type.Object({ ...NotificationFields, PaymentId: Id, OrderId: Type.String({ minLength: 1 }) }),
  Type.Object({ ...NotificationFields, RequestKey: Type.String({ minLength: 1 }) }),
]);
