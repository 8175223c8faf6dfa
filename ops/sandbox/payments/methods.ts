/**
 * Payment methods that are saved without a payment: pure steps, according to "Zero-amount linking" of
 * https://yookassa.ru/developers.
 */
import type { CreateMethod, SavedMethod } from '../../../commands/payments/yookassa/api.ts';
import { addMs } from '../../../domain/core/instants.ts';
import { invalid } from '../core/apiError.ts';
import { DEFAULT_CARD, type TestCard } from './cards.ts';
import { type CreateContext, isAddress, type Provider } from './payments.ts';

export interface MethodRecord {
  readonly provider: Provider;
  readonly object: SavedMethod;
  /** The next step of the page. */
  readonly step: 'method' | 'challenge';
  /** Only test cards: other numbers are never stored. */
  readonly card?: TestCard;
  readonly returnUrl: string;
  /** When an unconfirmed one becomes inactive. */
  readonly confirmBy: string;
}

export const createMethod = ({ type, confirmation }: CreateMethod, context: CreateContext): MethodRecord => {
  const { id, shopId, pageUrl, at, confirmWithinMs } = context;
  if (!isAddress(confirmation.return_url)) throw invalid('The return address is not valid', 'confirmation.return_url');
  return {
    provider: 'yookassa',
    step: 'method',
    returnUrl: confirmation.return_url,
    confirmBy: addMs(at, confirmWithinMs),
    object: {
      type,
      id,
      saved: false,
      status: 'pending',
      holder: { account_id: shopId, gateway_id: '1' },
      confirmation: { ...confirmation, confirmation_url: pageUrl },
    },
  };
};

export const isOpen = ({ object }: MethodRecord): boolean => object.status === 'pending';

/** A card is checked but not charged: these declines happen only when it pays. */
const FOUND_BY_PAYING = ['insufficient_funds', 'payment_method_limit_exceeded'];

/** The person entered a card: either 3-D Secure follows, or the step ends at once. */
export const saveCard = (record: MethodRecord, card: TestCard): MethodRecord =>
  card.challenge ? { ...record, card, step: 'challenge' } : confirm({ ...record, card });

/** The person confirmed; the card can still be declined. */
export const confirm = (record: MethodRecord): MethodRecord => {
  if (!isOpen(record)) return record;
  const { card = DEFAULT_CARD, object } = record;
  if (object.type !== 'bank_card') return settle(record, { status: 'active', saved: true });
  if (card.decline && !FOUND_BY_PAYING.includes(card.decline.reason)) return refuse(record);
  const last4 = card.number.slice(-4);
  return settle(
    { ...record, card },
    {
      status: 'active',
      saved: true,
      title: `Bank card *${last4}`,
      card: { first6: card.number.slice(0, 6), last4, expiry_month: '12', expiry_year: '2040', card_type: card.brand },
    },
  );
};

/** The person or the bank refused, or the time has expired. */
export const refuse = (record: MethodRecord): MethodRecord =>
  isOpen(record) ? settle(record, { status: 'inactive' }) : record;

const settle = (record: MethodRecord, change: Partial<SavedMethod>): MethodRecord => {
  const { confirmation: _, ...object } = record.object;
  return { ...record, object: { ...object, ...change } };
};
