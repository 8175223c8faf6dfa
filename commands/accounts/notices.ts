/**
 * Tells the holder of an account about a change that a thief would make, at the phone that the account had before it: a
 * thief who sets a phone of their own must not be the one who is told.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import { type NotificationLanguage, notificationLanguages } from '../../domain/core/notification.ts';
import type { EventOf } from '../../domain/modules.ts';
import { withTimeout } from '../../infra/retry.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { type CredentialChange, credentialChangeOf } from './credentialChange.ts';
import type { AccountDeps } from './deps.ts';
import { type Change, phonesToTell } from './formerContacts.ts';
import { securityAdvice, securityTitles } from './notifications.ts';

const SEND_MS = 10_000;

type Deps = Pick<AccountDeps, 'store' | 'codec'>;

/**
 * Says by SMS what has changed, to all these phones and in both languages: a thief may have changed the one that the account
 * is written to in. @throws when one could not be sent: the job repeats
 */
export const tellOwner = async (
  deps: Deps & Pick<AccountDeps, 'sms' | 'log'>,
  change: Change,
  whatIn: (language: NotificationLanguage) => string,
): Promise<void> => {
  const text = notificationLanguages.map((each) => `${whatIn(each)}. ${securityAdvice[each]}`).join(' / ');
  const phones = await phonesToTell(deps, change);
  if (phones.length === 0)
    deps.log.warn({ account: change.accountId, text }, 'nobody was told of a change: the account had no phone');
  for (const phone of phones) await withTimeout(deps.sms.send(phone, text), SEND_MS, 'the SMS sender took too long');
};

/** The job's id is the event's. It names no phone number. */
export const accountNotice = defineJob<{ accountId: string; changed: CredentialChange; at: string }, AccountDeps>(
  'account_notice',
  async ({ data: { accountId, changed, at } }, { deps }) => {
    const change = { accountId, at, isOfPhone: changed.startsWith('phone') };
    await tellOwner(deps, change, (language) => securityTitles[language][changed]);
    return undefined;
  },
);

/** Schedules the notice about a change of an account. */
export const giveNotice = async (
  event: Recorded<EventOf<'PhoneChanged' | 'EmailChanged' | 'PasswordChanged' | 'ProviderLinked'>>,
  { deps }: PolicyContext<AccountDeps>,
): Promise<void> => {
  const { id, streamId: accountId, at, meta } = event;
  const data = { accountId, changed: credentialChangeOf(event), at };
  await accountNotice.scheduleOnce(deps.jobs, meta, { id, dueAt: deps.now(), data });
};
