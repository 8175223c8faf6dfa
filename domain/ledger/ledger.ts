/**
 * The ledger: double entry, in the currency of the event that carries the entry. Every event that moves money has
 * postings between accounts that add up to zero; debits are positive, credits negative. Nothing is ever changed or
 * removed: money that goes back is posted in the other direction.
 *
 * | account | its balance | side |
 * |---|---|---|
 * | `clearing:<provider>` | money at a payment provider, to refund from or to be settled | debit |
 * | `nominal:<provider>` | the part of it on the provider's nominal account, for an owner | debit |
 * | `duplicates` | money of second charges, on its way back to the payers | credit |
 * | `bank` | money that our bank has received from providers and paid to owners | either |
 * | `fees` | what providers kept for their services | debit |
 * | `losses` | what chargebacks, and refunds made at a provider, took beyond what was left of an item | debit |
 * | `promotions` | discounts that the platform has borne | debit |
 * | `commission` | the platform's share | credit |
 * | `service:<type>` | sales of the platform itself | credit |
 * | `held:<owner>` | earned by an owner, until the dispute window is over | credit |
 * | `available:<owner>` | released to an owner, to be paid out; a debit after a late refund, which the owner owes | either |
 * | `payout:<owner>` | requested payouts to an owner | credit |
 *
 * | event | debit | credit |
 * |---|---|---|
 * | captured | clearing, promotions | commission or service, held |
 * | refunded | held, then available, then commission or service; losses | clearing, promotions |
 * | charged twice / returned | clearing / duplicates | duplicates / clearing |
 * | released | held | available |
 * | escrow held / cancelled | nominal / clearing | clearing / nominal |
 * | escrow released, straight to the owner | held | nominal |
 * | … to an owner who owes money: cancelled, then released | clearing, held | nominal, available |
 * | payout requested / failed | available / payout | payout / available |
 * | paid out | payout | bank |
 * | settled by the provider | bank, fees | clearing |
 * | charged back | held, then available, then commission or service; losses | clearing, promotions |
 * | the bank gave it back | clearing, promotions | where it was taken from; what was held is available if the rest is |
 * | corrected by two admins | any of them, except what processes own | any of them |
 */
import { type Static, Type } from '@sinclair/typebox';
import { Currency, Minor, Uuid } from '../core/schema.ts';

/** The kinds of account that belong to an owner. */
export const ownerAccounts = ['held', 'available', 'payout'] as const;
export type OwnerAccount = (typeof ownerAccounts)[number];

/** One line of an entry. `itemId`: the item that the line is about, if it is about one. */
export const Posting = Type.Object({
  account: Type.String({
    pattern:
      '^(bank|commission|duplicates|fees|losses|promotions|(clearing|nominal|service|held|available|payout):[\\w-]+)$',
  }),
  amountMinor: Minor,
  itemId: Type.Optional(Uuid),
});
export type Posting = Static<typeof Posting>;
export const Postings = Type.Array(Posting);
/** The postings of an event that moves money. The ledger consists of all such events. */
export const Entry = { currency: Currency, postings: Postings };

export const account = {
  clearing: (provider: string) => `clearing:${provider}`,
  nominal: (provider: string) => `nominal:${provider}`,
  service: (type: string) => `service:${type}`,
  held: (ownerId: string) => `held:${ownerId}`,
  available: (ownerId: string) => `available:${ownerId}`,
  payout: (ownerId: string) => `payout:${ownerId}`,
  commission: 'commission',
  duplicates: 'duplicates',
  fees: 'fees',
  losses: 'losses',
  promotions: 'promotions',
  bank: 'bank',
} as const;

/** The owner of an account; null for accounts of the platform and of providers. */
export const ownerOf = (name: string): string | null => {
  const [kind, id] = name.split(':');
  return ownerAccounts.some((each) => each === kind) ? (id ?? null) : null;
};

/** What postings change on an account, debits positive. @param name of the account */
export const changesOn = (name: string, postings: readonly Posting[]): number[] =>
  postings.filter((posting) => posting.account === name).map(({ amountMinor }) => amountMinor);

/** @throws RangeError unless debits and credits are equal: always a fault in this code */
export const assertBalanced = (postings: readonly Posting[]): void => {
  const sum = postings.reduce((total, { amountMinor }) => total + amountMinor, 0);
  if (sum !== 0) throw new RangeError(`postings are off by ${sum}: ${JSON.stringify(postings)}`);
};

/** An entry without lines of zero. */
const entry = (postings: readonly Posting[]): Posting[] => {
  assertBalanced(postings);
  return postings.filter(({ amountMinor }) => amountMinor !== 0);
};

/** Moves an amount from one account to another. */
const moved = (from: string, to: string, amountMinor: number, itemId?: string): Posting[] =>
  entry([
    { account: to, amountMinor: -amountMinor, itemId },
    { account: from, amountMinor, itemId },
  ]);

/** An item that was paid for, as the ledger needs it. */
export interface PaidItem {
  readonly id: string;
  /** The owner who earns it; null: the platform itself, with its `service`. */
  readonly ownerId: string | null;
  readonly service: string | null;
  readonly amountMinor: number;
  readonly commissionMinor: number;
  /** The platform's contribution to the price beside the amount: a discount that it bears. */
  readonly promotionMinor?: number;
}

/**
 * An item's money by account. `platformMinor` is the commission, or the whole amount of what the platform itself sells.
 * Together they are the payer's money and the platform's contribution to it.
 */
export interface Parts {
  readonly heldMinor: number;
  readonly availableMinor: number;
  readonly platformMinor: number;
  /** What the platform has contributed; absent: nothing. */
  readonly promotionMinor?: number;
}

/** The price that these parts are of: the payer's money, and the contribution to it. */
export const priceOf = ({ heldMinor, availableMinor, platformMinor }: Parts): number =>
  heldMinor + availableMinor + platformMinor;

/** The payer's money in these parts. */
export const payersMinor = ({ promotionMinor = 0, ...of }: Parts): number => priceOf(of) - promotionMinor;

/**
 * How much of the platform's contribution a refund takes back: in the proportion of the payer's money that is left, and
 * all of it with the last of that money.
 */
export const contributionOf = (left: Parts, amountMinor: number): number => {
  const { promotionMinor = 0 } = left;
  const payers = payersMinor(left);
  if (amountMinor >= payers) return promotionMinor;
  return Number((BigInt(promotionMinor) * BigInt(amountMinor)) / BigInt(payers));
};

const contributed = (promotionMinor: number): Pick<Parts, 'promotionMinor'> =>
  promotionMinor === 0 ? {} : { promotionMinor };

const platformAccount = ({ ownerId, service }: PaidItem): string =>
  ownerId === null ? account.service(service ?? 'other') : account.commission;

/** The parts of an item once it is paid: first the commission, the rest is the owner's. */
export const partsOf = ({ ownerId, amountMinor, commissionMinor, promotionMinor = 0 }: PaidItem): Parts => {
  const priceMinor = amountMinor + promotionMinor;
  const platformMinor = ownerId === null ? priceMinor : Math.min(commissionMinor, priceMinor);
  return { heldMinor: priceMinor - platformMinor, availableMinor: 0, platformMinor, ...contributed(promotionMinor) };
};

/**
 * How much of each part a refund takes: first the owner's held money, then the owner's available money, then the
 * platform's part. So a full refund returns the whole commission, and a partial refund returns none as long as the
 * owner's part suffices. The platform's contribution goes back along with it, out of the same parts.
 * @param amountMinor what the payer gets
 * @param platformFirstMinor what the platform's part returns before the owner's
 * @throws RangeError when it is more than is left
 */
export const drawn = (left: Parts, amountMinor: number, platformFirstMinor = 0): Parts => {
  const promotionMinor = contributionOf(left, amountMinor);
  const takenMinor = amountMinor + promotionMinor;
  const ownersMinor = takenMinor - Math.min(platformFirstMinor, left.platformMinor, takenMinor);
  const heldMinor = Math.min(left.heldMinor, ownersMinor);
  const availableMinor = Math.min(left.availableMinor, ownersMinor - heldMinor);
  const platformMinor = takenMinor - heldMinor - availableMinor;
  if (platformMinor > left.platformMinor) throw new RangeError(`${amountMinor} is more than is left of an item`);
  return { heldMinor, availableMinor, platformMinor, ...contributed(promotionMinor) };
};

/** The parts of an item that the postings of a refund took. */
export const partsTaken = (postings: readonly Posting[]): Parts => {
  const taken = { heldMinor: 0, availableMinor: 0, platformMinor: 0 };
  let promotionMinor = 0;
  for (const { account: name, amountMinor } of postings) {
    if (name.startsWith('held:')) taken.heldMinor += amountMinor;
    else if (name.startsWith('available:')) taken.availableMinor += amountMinor;
    else if (name === account.commission || name.startsWith('service:')) taken.platformMinor += amountMinor;
    else if (name === account.promotions) promotionMinor -= amountMinor;
  }
  return { ...taken, ...contributed(promotionMinor) };
};

/** The postings of an item's money on its accounts. */
const standing = (item: PaidItem, parts: Parts): Posting[] => {
  const { id: itemId, ownerId } = item;
  const platform = { account: platformAccount(item), amountMinor: parts.platformMinor, itemId };
  const contribution = { account: account.promotions, amountMinor: 0 - (parts.promotionMinor ?? 0), itemId };
  // Stryker disable next-line ConditionalExpression: without an owner both parts are zero, and `entry` leaves out such lines
  if (ownerId === null) return [platform, contribution];
  return [
    platform,
    contribution,
    { account: account.held(ownerId), amountMinor: parts.heldMinor, itemId },
    { account: account.available(ownerId), amountMinor: parts.availableMinor, itemId },
  ];
};
const credited = (postings: readonly Posting[]): Posting[] =>
  postings.map((posting) => ({ ...posting, amountMinor: 0 - posting.amountMinor }));

/** Money was captured for these items. */
export const captured = (provider: string, items: readonly PaidItem[]): Posting[] =>
  entry(
    items.flatMap((item) => [
      { account: account.clearing(provider), amountMinor: item.amountMinor, itemId: item.id },
      ...credited(standing(item, partsOf(item))),
    ]),
  );

/**
 * Money of an item went back to the payer, out of these parts (`drawn`), and out of nothing that was left of it
 * (`lossMinor`): it was refunded, or their bank took it back.
 */
export const refunded = (provider: string, item: PaidItem, draw: Parts, lossMinor = 0): Posting[] => {
  const itemId = item.id;
  const clearing = { account: account.clearing(provider), amountMinor: payersMinor(draw) + lossMinor, itemId };
  const loss = { account: account.losses, amountMinor: lossMinor, itemId };
  return entry([...standing(item, draw), loss, ...credited([clearing])]);
};

/** The payer's bank has given back what it took: out of these parts, and out of nothing that was left (`lossMinor`). */
export const chargebackReturned = (provider: string, item: PaidItem, parts: Parts, lossMinor: number): Posting[] =>
  credited(refunded(provider, item, parts, lossMinor));

/** The provider has charged a payer twice. */
export const duplicateReceived = (provider: string, amountMinor: number): Posting[] =>
  moved(account.clearing(provider), account.duplicates, amountMinor);

/** The second charge went back. */
export const duplicateReturned = (provider: string, amountMinor: number): Posting[] =>
  moved(account.duplicates, account.clearing(provider), amountMinor);

/** The provider has paid our bank, and kept its fee. Negative when it took money from our bank. */
export const settled = (provider: string, amountMinor: number, feeMinor: number): Posting[] =>
  entry([
    { account: account.bank, amountMinor },
    { account: account.fees, amountMinor: feeMinor },
    { account: account.clearing(provider), amountMinor: -amountMinor - feeMinor },
  ]);

/** Two admins corrected the ledger. */
export const corrected = (debit: string, credit: string, amountMinor: number): Posting[] =>
  moved(debit, credit, amountMinor);

/** The dispute window is over: the money becomes available to the owner. */
export const released = (ownerId: string, amountMinor: number, itemId?: string): Posting[] =>
  moved(account.held(ownerId), account.available(ownerId), amountMinor, itemId);

/** The owner's share is on the provider's nominal account; it is still held. */
export const escrowHeld = (provider: string, amountMinor: number, itemId?: string): Posting[] =>
  moved(account.nominal(provider), account.clearing(provider), amountMinor, itemId);

/** The share came back from there, so that it can be refunded. */
export const escrowCancelled = (provider: string, amountMinor: number, itemId?: string): Posting[] =>
  moved(account.clearing(provider), account.nominal(provider), amountMinor, itemId);

/** The provider paid the share to the owner, without our bank. */
export const escrowReleased = (provider: string, ownerId: string, amountMinor: number, itemId?: string): Posting[] =>
  moved(account.held(ownerId), account.nominal(provider), amountMinor, itemId);

/** Reserved for a payout, so that it is not paid out twice. */
export const payoutRequested = (ownerId: string, amountMinor: number): Posting[] =>
  moved(account.available(ownerId), account.payout(ownerId), amountMinor);

/** The payout failed: the money is available again. */
export const payoutFailed = (ownerId: string, amountMinor: number): Posting[] =>
  moved(account.payout(ownerId), account.available(ownerId), amountMinor);

/** Our bank has paid the payout. */
export const paidOut = (ownerId: string, amountMinor: number): Posting[] =>
  moved(account.payout(ownerId), account.bank, amountMinor);
