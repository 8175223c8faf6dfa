/**
 * E-mails to the payer: what was paid, and what was given back. They are no fiscal receipts: those come from the provider,
 * and the e-mail says so.
 */
import { account } from '../../domain/accounts/account.ts';
import { addMs, DAY_MS, msBetween } from '../../domain/core/instants.ts';
import { amountText } from '../../domain/core/wording.ts';
import { type OpenPayment, type PaymentItem, payment } from '../../domain/payments/payment.ts';
import { derivedId } from '../../infra/ids.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { type Mail, type MailDeps, mailTo, writtenLanguage } from '../mail/mailTo.ts';
import type { PaymentDeps } from './deps.ts';
import { payableKind } from './payables.ts';

type Deps = PaymentDeps & MailDeps;

/** After this long nobody waits for it any more. */
const WORTH_MS = 3 * DAY_MS;

const WORDS = {
  ru: {
    paid: 'Оплата получена',
    refunded: 'Возврат выполнен',
    total: 'Всего',
    method: { card: 'банковская карта', sbp: 'СБП', wallet: 'кошелёк' },
    by: 'Способ оплаты',
    payment: 'Номер платежа',
    order: 'Заказ',
    back: 'Деньги возвращаются тем же способом, которым вы платили. Банк может зачислять их несколько дней.',
    fiscal: 'Это подтверждение, а не кассовый чек. Чек присылает платёжный сервис.',
    none: 'Это подтверждение, а не кассовый чек.',
  },
  en: {
    paid: 'Payment received',
    refunded: 'Refund made',
    total: 'Total',
    method: { card: 'bank card', sbp: 'SBP', wallet: 'wallet' },
    by: 'Paid by',
    payment: 'Payment number',
    order: 'Order',
    back: 'The money returns the way you paid. Your bank may take some days to show it.',
    fiscal: 'This is a confirmation, not a fiscal receipt. The payment service sends the receipt.',
    none: 'This is a confirmation, not a fiscal receipt.',
  },
} as const;

/** An item by its name, with the amount that it is about. */
export interface ReceiptLine {
  readonly title: string;
  readonly amountMinor: number;
}

/** The e-mail about money that was paid or given back. */
export const receiptMail = ({
  id,
  paymentId,
  payment: { method, currency, hasReceipt },
  what,
  lines,
  language,
  at,
}: {
  readonly id: string;
  readonly paymentId: string;
  readonly payment: Pick<OpenPayment, 'method' | 'currency' | 'hasReceipt'>;
  readonly what: 'paid' | 'refunded';
  readonly lines: readonly ReceiptLine[];
  readonly language: Mail['language'];
  /** When the money moved. */
  readonly at: string;
}): Mail => {
  const words = WORDS[language];
  const money = (minor: number): string => amountText(language, minor, currency);
  const total = money(lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0));
  return {
    id,
    subject: `${words[what]}: ${total}`,
    paragraphs: [
      [...lines.map(({ title, amountMinor }) => `${title}: ${money(amountMinor)}`), `${words.total}: ${total}`].join(
        '\n',
      ),
      `${words.by}: ${words.method[method]}\n${words.payment}: ${paymentId}`,
      ...(what === 'refunded' ? [words.back] : []),
      hasReceipt ? words.fiscal : words.none,
    ],
    link: null,
    attachments: [],
    marketing: false,
    language,
    expiresAt: addMs(at, WORTH_MS),
  };
};

const titleOf = async (deps: Deps, item: PaymentItem, language: Mail['language']): Promise<string> => {
  const kind = payableKind(deps, item.kind);
  return (
    (await kind.title?.(item, language)) ??
    kind.describe({ items: [item], tripId: null }) ??
    `${WORDS[language].order} ${item.id}`
  );
};

/** @param amountOf what moved of an item, in minor units; 0: it is not in the e-mail */
const send = async (
  { deps, context }: PolicyContext<Deps>,
  event: { readonly id: string; readonly streamId: string; readonly at: string },
  what: 'paid' | 'refunded',
  amountOf: (item: PaymentItem) => number,
): Promise<void> => {
  const { at, streamId: paymentId } = event;
  if (msBetween(at, deps.now()) > WORTH_MS) return;
  // What it was for never changes, and the other policy of payments has just read it.
  const { state: of } = await deps.aggregates.load(payment, paymentId, FOR_QUOTE);
  if (of.status === 'none') return;
  const { state: payer } = await deps.aggregates.load(account, of.userId, FOR_QUOTE);
  if (payer.status === 'none' || payer.email === null) return;
  const language = await writtenLanguage(deps, of.userId, payer.language);
  const items = of.items.filter((item) => amountOf(item) > 0);
  const lines = await Promise.all(
    items.map(async (item) => ({ title: await titleOf(deps, item, language), amountMinor: amountOf(item) })),
  );
  await mailTo(
    deps,
    context,
    of.userId,
    receiptMail({ id: derivedId('receipt', event.id), paymentId, payment: of, what, lines, language, at }),
  );
};

export const mailedReceiptPolicy = policy<Deps>('mailed_receipts', {
  PaymentSucceeded: (event, ctx) => send(ctx, event, 'paid', ({ amountMinor }) => amountMinor),
  RefundSucceeded: (event, ctx) =>
    send(ctx, event, 'refunded', ({ id }) => (id === event.data.itemId ? event.data.amountMinor : 0)),
});
