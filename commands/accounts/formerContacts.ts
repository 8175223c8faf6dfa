/**
 * Phones and e-mail addresses that an account had: a thief who sets contacts of their own must not be the only one who is
 * told of it.
 */
import { type Account, account, type OpenAccount } from '../../domain/accounts/account.ts';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import type { AccountDeps } from './deps.ts';

type Deps = Pick<AccountDeps, 'store' | 'codec'>;

/** How long a former contact is still told about changes. */
const FORMER_MS = 7 * DAY_MS;

/** A change of an account's settings, and when it happened (RFC 3339). */
export interface Change {
  readonly accountId: string;
  readonly at: string;
  /** Whether it is the change of the phone itself, so that the new phone is not told. */
  readonly isOfPhone?: boolean;
}

interface Had {
  readonly contact: string | null;
  readonly from: number;
  readonly until: number;
}

/** The contacts that an account had, one after the other. Empty after an erasure. */
const contactsOf = async (
  deps: Deps,
  accountId: string,
  types: readonly AccountEvent['type'][],
  contactIn: (state: OpenAccount) => string | null,
): Promise<Had[]> => {
  const stored = await deps.store.read(`account-${accountId}`);
  const events = await deps.codec.decode<Recorded<AccountEvent>>(stored, new Set(types));
  let state: Account = account.initial;
  const since = events.map((event) => {
    state = account.evolve(state, event);
    return { contact: state.status === 'open' ? contactIn(state) : null, from: Date.parse(event.at) };
  });
  return since.map((each, index) => ({ ...each, until: since[index + 1]?.from ?? Number.POSITIVE_INFINITY }));
};

/** Those that were the account's at the time, or in the week before it. */
const hadAround = (had: readonly Had[], time: number): string[] => {
  const around = had.filter(({ from, until }) => from <= time && until > time - FORMER_MS);
  const contacts = around.flatMap(({ contact }) => (contact === null || isPlaceholder(contact) ? [] : [contact]));
  return [...new Set(contacts)];
};

/** The phones that the account had at the change, or in the week before it. */
export const phonesToTell = async (deps: Deps, { accountId, at, isOfPhone }: Change): Promise<string[]> => {
  const time = Date.parse(at);
  const had = await contactsOf(deps, accountId, ['AccountOpened', 'PhoneChanged'], ({ phone }) => phone);
  return hadAround(isOfPhone ? had.filter(({ from }) => from < time) : had, time);
};

/** The verified e-mail addresses that the account had at a time (RFC 3339), or in the week before it. */
export const verifiedAddressesAt = async (deps: Deps, accountId: string, at: string): Promise<string[]> => {
  const had = await contactsOf(
    deps,
    accountId,
    ['AccountOpened', 'EmailChanged', 'EmailVerified'],
    ({ email, emailVouched }) => (emailVouched ? email : null),
  );
  return hadAround(had, Date.parse(at));
};
