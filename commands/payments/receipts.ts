/**
 * Fiscal receipts of payments, refunds and settled prepayments. The platform sells for owners as their agent, so that a
 * receipt names the owner of each item. A payment cannot begin without what its receipt needs; money that goes back is
 * never held up by one.
 */
import { account } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import type { PaymentItem } from '../../domain/payments/payment.ts';
import { payment } from '../../domain/payments/payment.ts';
import { type OpenPayment, refundableMinor } from '../../domain/payments/paymentState.ts';
import { derivedId } from '../../infra/ids.ts';
import { metrics } from '../../infra/metrics.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { loadPayment, providerOf } from './atProvider.ts';
import type { PaymentDeps, ReceiptSettings } from './deps.ts';
import type { Receipt, ReceiptItem } from './fiscalReceipt.ts';
import { type PaidItemData, paidItemOf } from './paidItem.ts';
import { payableKind } from './payables.ts';
import { ProviderError } from './paymentProvider.ts';
import { taxDetailsOf } from './paymentSettings.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'payables'> & {
  readonly settings: Pick<PaymentDeps['settings'], 'receipts'>;
};
type LaterDeps = Deps & { readonly log: Pick<PaymentDeps['log'], 'error'> };

/** The only currency of receipts. */
const CURRENCY = 'RUB';

/** A part of an item's amount that a receipt is about. */
interface Line {
  readonly item: PaymentItem;
  readonly amountMinor: number;
}

/** Whether payments in this currency have receipts, by the settings. */
export const hasReceipts = ({ settings }: Pick<Deps, 'settings'>, currency: string): boolean =>
  settings.receipts !== null && currency === CURRENCY;

/**
 * The receipt of a new payment.
 * @throws Rejected `receipt_impossible` when the payer cannot receive it or an owner has given no tax details
 */
export const receiptOfPayment = async (
  deps: Deps,
  { userId, items }: Pick<OpenPayment, 'userId' | 'items'>,
): Promise<Receipt | undefined> => {
  const { receipts } = deps.settings;
  if (receipts === null) return undefined;
  const customer = await contactOf(deps, userId);
  if (!customer)
    throw new Rejected(
      'receipt_impossible',
      'A fiscal receipt needs an e-mail address or a phone number. Add one to the profile, then pay.',
    );
  return { ...head(receipts), customer, mode: 'full_prepayment', items: await itemsOf(deps, receipts, whole(items)) };
};

const whole = (items: readonly PaymentItem[]): Line[] => items.map((item) => ({ item, amountMinor: item.amountMinor }));

/**
 * The receipt of money that goes back, or of a prepayment that is settled; undefined when the payment had none, or when
 * it cannot be made any more. It goes to the platform when the payer has erased their account.
 */
const laterReceipt = async (
  deps: LaterDeps,
  { userId, hasReceipt }: OpenPayment,
  lines: readonly Line[],
  mode: Receipt['mode'],
): Promise<Receipt | undefined> => {
  const { receipts } = deps.settings;
  if (!hasReceipt || receipts === null) return undefined;
  try {
    const customer = (await contactOf(deps, userId)) ?? { email: receipts.email };
    return { ...head(receipts), customer, mode, items: await itemsOf(deps, receipts, lines) };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    metrics.reviewNeeded.inc({ what: 'receipt' });
    const items = lines.map(({ item }) => item.id);
    deps.log.error({ items }, 'a receipt cannot be made: its seller has no tax details any more');
    return undefined;
  }
};

/** The receipt of a refund. */
export const receiptOfRefund = (
  deps: LaterDeps,
  state: OpenPayment,
  { itemId, amountMinor }: { readonly itemId: string; readonly amountMinor: number },
): Promise<Receipt | undefined> => {
  const item = state.items.find(({ id }) => id === itemId);
  const mode = state.closedReceipts.includes(itemId) ? 'full_payment' : 'full_prepayment';
  return item ? laterReceipt(deps, state, [{ item, amountMinor }], mode) : Promise.resolve(undefined);
};

/** The receipt of a second charge that goes back: it names what the first one named. */
export const receiptOfDuplicate = (deps: LaterDeps, state: OpenPayment): Promise<Receipt | undefined> =>
  laterReceipt(deps, state, whole(state.items), 'full_prepayment');

const head = ({ taxation, email }: ReceiptSettings) => ({ taxation, companyEmail: email });

/** Undefined for somebody without an address or a phone number, or who is erased. */
const contactOf = async ({ aggregates }: Deps, userId: string): Promise<Receipt['customer'] | undefined> => {
  const { state } = await aggregates.load(account, userId);
  if (state.status === 'none') return undefined;
  const { email, phone } = state;
  if (email !== null && !isPlaceholder(email)) return { email };
  return phone !== null && !isPlaceholder(phone) ? { phone } : undefined;
};

const itemsOf = (deps: Deps, settings: ReceiptSettings, lines: readonly Line[]): Promise<ReceiptItem[]> =>
  Promise.all(
    lines.map(async ({ item, amountMinor }) => {
      const name = payableKind(deps, item.kind).describe({ items: [item], tripId: null }) ?? `Order ${item.id}`;
      if (item.ownerId === null) return { name, amountMinor, vat: settings.vat };
      const tax = await taxDetailsOf(deps, item.ownerId);
      if (!tax)
        throw new Rejected(
          'receipt_impossible',
          'The seller has not given the tax details that fiscal receipts need. Try again when they have.',
        );
      const { vat, ...supplier } = tax;
      return { name, amountMinor, vat, supplier };
    }),
  );

/** Settles the receipt of an item's prepayment, once the service was provided. @throws ProviderError `away` */
export const settlePrepayment = async (
  deps: LaterDeps & Pick<PaymentDeps, 'paymentProviders'>,
  context: CommandContext,
  paymentId: string,
  itemId: string,
): Promise<void> => {
  const state = await loadPayment(deps, paymentId);
  const { providerPaymentId, currency, closedReceipts } = state;
  const item = state.items.find(({ id }) => id === itemId);
  const amountMinor = refundableMinor(state, itemId);
  if (!item || !providerPaymentId || amountMinor <= 0 || closedReceipts.includes(itemId)) return;
  const receipt = await laterReceipt(deps, state, [{ item, amountMinor }], 'full_payment');
  const provider = providerOf(deps, state.provider);
  if (!receipt || !provider.closeReceipt) return;
  const receiptId = derivedId('closing receipt', paymentId, itemId);
  try {
    await provider.closeReceipt({ receiptId, providerPaymentId, amountMinor, currency, receipt });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === 'away') throw error;
    metrics.reviewNeeded.inc({ what: 'receipt' });
    deps.log.error({ err: error, payment: paymentId, item: itemId }, 'the provider refused a closing receipt');
    return;
  }
  const command = { type: 'RecordClosingReceipt', itemId, amountMinor } as const;
  await deps.aggregates.handle(payment, paymentId, command, context);
};

export const closingReceipt = defineJob<PaidItemData, PaymentDeps>(
  'closing_receipt',
  async (job, { deps, context }) => {
    const { itemId, paymentId } = paidItemOf(job);
    await settlePrepayment(deps, context, paymentId, itemId);
    return undefined;
  },
);
