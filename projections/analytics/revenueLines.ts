/** What each event has brought and cost, item by item: the lines of the ledger that are about one item, as one row. */
import { type Static, Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { exactSum } from '../../domain/core/money.ts';
import { Currency, Instant, MinorSum, Nullable, Uuid } from '../../domain/core/schema.ts';
import { ledgerPurpose } from '../../domain/ledger/index.ts';
import { account, ownerOf, type Posting } from '../../domain/ledger/ledger.ts';
import type { EventType } from '../../domain/modules.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { type EventWith, onEventsWith, readModel } from '../engine/readModel.ts';

type MoneyEvent = Recorded<EventWith<'postings'>>;

const CORRECTED: EventType = 'AdjustmentApproved';
const CAPTURED: EventType = 'PaymentSucceeded';
const GIVEN_BACK: readonly string[] = ['RefundSucceeded', 'ChargedBack', 'ChargebackWon'] satisfies EventType[];
/** What payers pay, and what goes back to them. */
export const PAYERS_MONEY: readonly string[] = [CAPTURED, ...GIVEN_BACK];
/** What sellers earn and lose. Other events only move it, from held to available to paid out. */
const EARNED: readonly string[] = [...PAYERS_MONEY, CORRECTED];

/** Amounts in minor units. */
export const RevenueAmounts = Type.Object({
  /** Money of payers. */
  captured_minor: MinorSum,
  /** Refunded and charged back, less chargebacks that were won. */
  refunded_minor: MinorSum,
  /** Of the platform: commissions and what it sells itself. Negative where more went back than came. */
  revenue_minor: MinorSum,
  /** Of sellers. */
  earned_minor: MinorSum,
  /** Discounts that the platform has borne, less those that went back with a refund. */
  discounts_minor: MinorSum,
  /** What refunds and chargebacks took beyond what was left of an item, less what came back. */
  losses_minor: MinorSum,
  /** What corrections have added to revenue, earnings, discounts and losses from other accounts, such as the bank's. */
  corrections_minor: MinorSum,
});
type Amounts = Static<typeof RevenueAmounts>;

const Row = Type.Object({
  event_id: Uuid,
  /** The number of the first posting about the item in the event, from 0. */
  line: Type.Integer(),
  /** The booking or purchase; null: it belongs to no item. */
  item_id: Nullable(Uuid),
  /** The seller of the item, where the event names them: not where only the platform's part of it has moved. */
  seller_id: Nullable(Uuid),
  /** What the platform itself has sold. */
  service: Nullable(Type.String()),
  currency: Currency,
  at: Instant,
  ...RevenueAmounts.properties,
});
type Row = Static<typeof Row>;

const SERVICE = account.service('');
const isClearing = ({ account: name }: Posting) => name.startsWith(account.clearing(''));
const isService = ({ account: name }: Posting) => name.startsWith(SERVICE);
const isPlatform = (posting: Posting) => posting.account === account.commission || isService(posting);
const isOwners = ({ account: name }: Posting) => ownerOf(name) !== null;
const isOn = (name: string) => (posting: Posting) => posting.account === name;
const [isPromotion, isLoss] = [isOn(account.promotions), isOn(account.losses)];
const isOther = (posting: Posting) =>
  ![isPlatform, isOwners, isPromotion, isLoss].some((isSomething) => isSomething(posting));

/** What the postings of an event come to. */
const amountsOf = (type: string, postings: readonly Posting[]): Amounts => {
  const credited = (is: (posting: Posting) => boolean, sign = -1): MinorSum =>
    exactSum(postings.filter(is).map(({ amountMinor }) => sign * amountMinor));
  const debited = (is: (posting: Posting) => boolean): MinorSum => credited(is, 1);
  return {
    captured_minor: type === CAPTURED ? debited(isClearing) : 0,
    refunded_minor: GIVEN_BACK.includes(type) ? credited(isClearing) : 0,
    revenue_minor: credited(isPlatform),
    earned_minor: EARNED.includes(type) ? credited(isOwners) : 0,
    discounts_minor: debited(isPromotion),
    losses_minor: debited(isLoss),
    corrections_minor: type === CORRECTED ? debited(isOther) : 0,
  };
};

const linesOf = ({ data: { postings } }: MoneyEvent): number[] => [
  ...new Set(postings.map(({ itemId }) => postings.findIndex((each) => each.itemId === itemId))),
];

const rowOf = ({ id, type, at, data }: MoneyEvent, line: number): Row | null => {
  const itemId = data.postings[line]?.itemId;
  const postings = data.postings.filter((posting) => posting.itemId === itemId);
  const amounts = amountsOf(type, postings);
  if (Object.values(amounts).every((amount) => amount === 0)) return null;
  const owners = itemId === undefined ? undefined : postings.find(isOwners);
  return {
    event_id: id,
    line,
    item_id: itemId ?? null,
    seller_id: owners ? ownerOf(owners.account) : null,
    service: postings.find(isService)?.account.slice(SERVICE.length) ?? null,
    currency: data.currency,
    at,
    ...amounts,
  };
};

export const revenueLines = readModel('revenue_lines', {
  version: 1,
  row: Row,
  key: ['event_id', 'line'],
  insertOnly: true,
  personalData: {
    whose: null,
    why: ledgerPurpose,
    retention: forTheBooks,
    exported: 'as a part of `ledger_entries`',
  },
  on: onEventsWith('postings', {
    keys: (event) => linesOf(event).map((line) => ({ event_id: event.id, line })),
    fold: (_: Row | undefined, event, { line }) => rowOf(event, line),
  }),
  indexes: ['at', 'seller_id, service, at'],
});
