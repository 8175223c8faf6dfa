/**
 * Tells the holder of an account about a change that a thief would make, at the phone that the account had before it: a
 * thief who sets a phone of their own must not be the one who is told.
 */
import type { AccountEvent } from '../../domain/accounts/account.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import { withTimeout } from '../../infra/retry.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import type { AccountDeps } from './deps.ts';

const SEND_MS = 10_000;
/** How long a former phone is still told about changes. */
const FORMER_MS = 7 * 86_400_000;
const ADVICE = 'If you did not do this, contact support.';

export type ChangedCredential = 'phone' | 'email' | 'password' | 'provider';
const TEXTS: Readonly<Record<ChangedCredential, string>> = {
  phone: `The phone number of your account was changed. ${ADVICE}`,
  email: `The e-mail address of your account was changed. ${ADVICE}`,
  password: `The password of your account was changed. ${ADVICE}`,
  provider: `Another way to sign in was added to your account. ${ADVICE}`,
};

type Deps = Pick<AccountDeps, 'store' | 'codec'>;

/** A change of an account's settings, and when it happened (RFC 3339). */
export interface Change {
  readonly accountId: string;
  readonly at: string;
  /** Whether it is the change of the phone itself, so that the new phone is not told. */
  readonly isOfPhone?: boolean;
}

/** The phones that the account had at the change, or in the week before it. Empty after an erasure. */
export const phonesToTell = async (deps: Deps, { accountId, at, isOfPhone = false }: Change): Promise<string[]> => {
  const time = Date.parse(at);
  const stored = await deps.store.read(`account-${accountId}`);
  const events = await deps.codec.decode<Recorded<AccountEvent>>(stored, new Set(['AccountOpened', 'PhoneChanged']));
  const changes = events.flatMap((event) =>
    event.type === 'AccountOpened' || event.type === 'PhoneChanged'
      ? [{ phone: event.data.phone, from: Date.parse(event.at) }]
      : [],
  );
  const told = changes.filter(({ phone, from }, index) => {
    const until = changes[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    return (
      phone !== null && !isPlaceholder(phone) && (isOfPhone ? from < time : from <= time) && until > time - FORMER_MS
    );
  });
  return [...new Set(told.map(({ phone }) => String(phone)))];
};

/** Sends the text to all these phones. @throws when one could not be sent: the job repeats */
export const tellOwner = async (
  deps: Deps & Pick<AccountDeps, 'sms' | 'log'>,
  change: Change,
  text: string,
): Promise<void> => {
  const phones = await phonesToTell(deps, change);
  if (phones.length === 0)
    deps.log.warn({ account: change.accountId, text }, 'nobody was told of a change: the account had no phone');
  for (const phone of phones) await withTimeout(deps.sms.send(phone, text), SEND_MS, 'the SMS sender took too long');
};

/** The job's id is the event's. It names no phone number. */
export const accountNotice = defineJob<{ accountId: string; changed: ChangedCredential; at: string }, AccountDeps>(
  'account_notice',
  async ({ data: { accountId, changed, at } }, { deps }) => {
    await tellOwner(deps, { accountId, at, isOfPhone: changed === 'phone' }, TEXTS[changed]);
    return undefined;
  },
);

/** Schedules the notice about a change of an account. */
export const giveNotice = async (
  changed: ChangedCredential,
  { id, streamId: accountId, at, meta }: Recorded<AccountEvent>,
  { deps }: PolicyContext<AccountDeps>,
): Promise<void> =>
  accountNotice.scheduleOnce(deps.jobs, meta, { id, dueAt: deps.now(), data: { accountId, changed, at } });
