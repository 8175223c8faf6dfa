/**
 * The books: double entry, in the currency of the event that carries it. Whatever moves money says between which
 * accounts, in postings that add up to zero; debits are positive, credits negative. Nothing is ever changed or removed:
 * money that goes back is posted the other way.
 *
 * | account | what stands on it | balance |
 * |---|---|---|
 * | `clearing:<provider>` | money at a payment provider, for us to refund from or to be settled | debit |
 * | `nominal:<provider>` | of that, what is kept on the provider's nominal account for an owner | debit |
 * | `bank` | what has left our bank for owners | credit |
 * | `commission` | the platform's share | credit |
 * | `service:<type>` | what the platform itself has sold | credit |
 * | `held:<owner>` | earned by an owner, until nobody can dispute it | credit |
 * | `available:<owner>` | released to an owner, to be paid out; a debit after a late refund: the owner owes it | either |
 * | `payout:<owner>` | on its way to an owner's bank | credit |
 *
 * | what happens | debit | credit |
 * |---|---|---|
 * | captured | clearing | commission or service, held |
 * | refunded | held, then available, then commission or service | clearing |
 * | released | held | available |
 * | escrow held / cancelled | nominal / clearing | clearing / nominal |
 * | escrow released, straight to the owner | held | nominal |
 * | payout requested / failed | available / payout | payout / available |
 * | paid out | payout | bank |
 */
import { type Static, Type } from '@sinclair/typebox';
import { Currency, Minor, Uuid } from '../core/schema.ts';

/** The kinds of account that belong to an owner. */
export const ownerAccounts = ['held', 'available', 'payout'] as const;
export type OwnerAccount = (typeof ownerAccounts)[number];

/** One line of an entry. `itemId`: what was paid for, where the line is about one such thing. */
export const Posting = Type.Object({
  account: Type.String({ pattern: '^(bank|commission|(clearing|nominal|service|held|available|payout):[\\w-]+)$' }),
  amountMinor: Minor,
  itemId: Type.Optional(Uuid),
});
export type Posting = Static<typeof Posting>;
export const Postings = Type.Array(Posting);
/** What every event that moves money carries; the ledger is made of all events that do. */
export const Entry = { currency: Currency, postings: Postings };

export const account = {
  clearing: (provider: string) => `clearing:${provider}`,
  nominal: (provider: string) => `nominal:${provider}`,
  service: (type: string) => `service:${type}`,
  held: (ownerId: string) => `held:${ownerId}`,
  available: (ownerId: string) => `available:${ownerId}`,
  payout: (ownerId: string) => `payout:${ownerId}`,
  commission: 'commission',
  bank: 'bank',
} as const;

/** Whose account it is, for the three kinds that belong to an owner; otherwise null. */
export const ownerOf = (name: string): string | null => {
  const [kind, id] = name.split(':');
  return ownerAccounts.some((each) => each === kind) ? (id ?? null) : null;
};

/** @throws RangeError unless debits and credits are equal: a fault of ours, never of who asked */
export const assertBalanced = (postings: readonly Posting[]): void => {
  const sum = postings.reduce((total, { amountMinor }) => total + amountMinor, 0);
  if (sum !== 0) throw new RangeError(`postings are off by ${sum}: ${JSON.stringify(postings)}`);
};

/** An entry without the lines that say nothing. */
const entry = (postings: readonly Posting[]): Posting[] => {
  assertBalanced(postings);
  return postings.filter(({ amountMinor }) => amountMinor !== 0);
};

/** The same amount from one account to another. */
const moved = (from: string, to: string, amountMinor: number, itemId?: string): Posting[] => {
  const about = itemId === undefined ? {} : { itemId };
  return entry([
    { account: to, amountMinor: -amountMinor, ...about },
    { account: from, amountMinor, ...about },
  ]);
};

/** As much of a thing that was paid for as the books take. */
export interface PaidItem {
  readonly id: string;
  /** Who earns it; null: the platform itself, by its `service`. */
  readonly ownerId: string | null;
  readonly service: string | null;
  readonly amountMinor: number;
  readonly commissionMinor: number;
}

/** An item's money by where it stands; `platformMinor` is commission, or all of it where the platform sold it. */
export interface Parts {
  readonly heldMinor: number;
  readonly availableMinor: number;
  readonly platformMinor: number;
}

const platformAccount = ({ ownerId, service }: PaidItem): string =>
  ownerId === null ? account.service(service ?? 'other') : account.commission;

/** What stands where once an item is paid: the commission is filled first, the rest is the owner's. */
export const partsOf = ({ ownerId, amountMinor, commissionMinor }: PaidItem): Parts => {
  const platformMinor = ownerId === null ? amountMinor : Math.min(commissionMinor, amountMinor);
  return { heldMinor: amountMinor - platformMinor, availableMinor: 0, platformMinor };
};

/**
 * How much of each part a refund takes: the owner's money first, what is held before what was released, then the
 * platform's. So all of the commission returns with a whole refund, and none with one that leaves enough.
 * @throws RangeError when it is more than is left
 */
export const drawn = (left: Parts, amountMinor: number): Parts => {
  const heldMinor = Math.min(left.heldMinor, amountMinor);
  const availableMinor = Math.min(left.availableMinor, amountMinor - heldMinor);
  const platformMinor = amountMinor - heldMinor - availableMinor;
  if (platformMinor > left.platformMinor) throw new RangeError(`${amountMinor} is more than is left of an item`);
  return { heldMinor, availableMinor, platformMinor };
};

/** An item's money on the accounts where it stands. */
const standing = (item: PaidItem, parts: Parts): Posting[] => {
  const { id: itemId, ownerId } = item;
  const platform = { account: platformAccount(item), amountMinor: parts.platformMinor, itemId };
  if (ownerId === null) return [platform];
  return [
    platform,
    { account: account.held(ownerId), amountMinor: parts.heldMinor, itemId },
    { account: account.available(ownerId), amountMinor: parts.availableMinor, itemId },
  ];
};
const credited = (postings: readonly Posting[]): Posting[] =>
  postings.map((posting) => ({ ...posting, amountMinor: 0 - posting.amountMinor }));

/** Money has come for these items. */
export const captured = (provider: string, items: readonly PaidItem[]): Posting[] =>
  entry(
    items.flatMap((item) => [
      { account: account.clearing(provider), amountMinor: item.amountMinor, itemId: item.id },
      ...credited(standing(item, partsOf(item))),
    ]),
  );

/** Money has gone back for an item, out of these parts of it (`drawn`). */
export const refunded = (provider: string, item: PaidItem, draw: Parts): Posting[] => {
  const amountMinor = draw.heldMinor + draw.availableMinor + draw.platformMinor;
  const paidBack = { account: account.clearing(provider), amountMinor, itemId: item.id };
  return entry([...standing(item, draw), ...credited([paidBack])]);
};

/** Nobody can dispute it any more: the owner may have it. */
export const released = (ownerId: string, amountMinor: number, itemId?: string): Posting[] =>
  moved(account.held(ownerId), account.available(ownerId), amountMinor, itemId);

/** The owner's part is now on the provider's nominal account; it is still held. */
export const escrowHeld = (provider: string, amountMinor: number, itemId?: string): Posting[] =>
  moved(account.nominal(provider), account.clearing(provider), amountMinor, itemId);

/** Back from there, so that it can be refunded. */
export const escrowCancelled = (provider: string, amountMinor: number, itemId?: string): Posting[] =>
  moved(account.clearing(provider), account.nominal(provider), amountMinor, itemId);

/** Paid to the owner by the provider itself, past our bank. */
export const escrowReleased = (provider: string, ownerId: string, amountMinor: number, itemId?: string): Posting[] =>
  moved(account.held(ownerId), account.nominal(provider), amountMinor, itemId);

/** Set apart: it can't be paid out twice. */
export const payoutRequested = (ownerId: string, amountMinor: number): Posting[] =>
  moved(account.available(ownerId), account.payout(ownerId), amountMinor);

/** It never left, and can be paid out again. */
export const payoutFailed = (ownerId: string, amountMinor: number): Posting[] =>
  moved(account.payout(ownerId), account.available(ownerId), amountMinor);

/** Our bank has paid the owner. */
export const paidOut = (ownerId: string, amountMinor: number): Posting[] =>
  moved(account.payout(ownerId), account.bank, amountMinor);
