/**
 * Tells the holder of an account about a change that a thief would make, at the phone that the account had before it: a
 * thief who sets a phone of their own must not be the one who is told.
 */
import { type NotificationLanguage, notificationLanguages } from '../../domain/core/notification.ts';
import { derivedId } from '../../infra/ids.ts';
import { withTimeout } from '../../infra/retry.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { type CredentialChange, type CredentialEvent, credentialChangeOf } from './credentialChange.ts';
import type { AccountDeps } from './deps.ts';
import { type Change, phonesToTell } from './formerContacts.ts';
import { identityId } from './identityIds.ts';
import { adviceOn, cueRefusedPhone, securityAdvice, securityTitles } from './notifications.ts';
import { SmsRefused } from './smsSender.ts';

const SEND_MS = 10_000;

/** @property phoneId its keyed fingerprint: no phone number is in the table of jobs */
type Sms = Change & { readonly phoneId: string; readonly text: string };

/** Sends the SMS to one phone. The job's id is derived from the event's and the phone's. */
export const securitySms = defineJob<Sms, AccountDeps>('security_sms', async ({ data }, { deps, context }) => {
  const { phoneId, text, ...change } = data;
  const phone = (await phonesToTell(deps, change)).find((each) => identityId(deps.vault, 'phone', each) === phoneId);
  if (phone === undefined) return undefined; // the person was erased meanwhile
  try {
    await withTimeout(deps.sms.send(phone, text), SEND_MS, 'the SMS sender took too long');
  } catch (err) {
    if (!(err instanceof SmsRefused && err.isFinal)) throw err;
    await cueRefusedPhone(deps, context, { accountId: change.accountId, phoneId });
    deps.log.warn(
      { err, account: change.accountId },
      'a phone was not told of a change: its number is refused for good',
    );
  }
  return undefined;
});

/**
 * Has an SMS say what has changed, to all these phones and in both languages: a thief may have changed the one that the
 * account is written to in. Each phone has a job of its own, so that one that fails neither holds up nor repeats the others.
 * @param id of the event
 */
export const tellOwner = async (
  { deps, context }: PolicyContext<AccountDeps>,
  id: string,
  change: Change,
  whatIn: (language: NotificationLanguage) => string,
  advice: Readonly<Record<NotificationLanguage, string>> = securityAdvice,
): Promise<void> => {
  const text = notificationLanguages.map((each) => `${whatIn(each)}. ${advice[each]}`).join(' / ');
  const phones = await phonesToTell(deps, change);
  if (phones.length === 0)
    deps.log.warn({ account: change.accountId, text }, 'nobody was told of a change: the account had no phone');
  for (const phone of phones) {
    const phoneId = identityId(deps.vault, 'phone', phone);
    const job = { id: derivedId(id, phoneId), dueAt: deps.now(), data: { ...change, phoneId, text } };
    await securitySms.scheduleOnce(deps.jobs, context, job);
  }
};

/** The job's id is the event's. It names no phone number. */
export const accountNotice = defineJob<{ accountId: string; changed: CredentialChange; at: string }, AccountDeps>(
  'account_notice',
  async ({ id, data: { accountId, changed, at } }, ctx) => {
    const change = { accountId, at, isOfPhone: changed.startsWith('phone') };
    await tellOwner(ctx, id, change, (language) => securityTitles[language][changed], adviceOn(changed));
    return undefined;
  },
);

/** Schedules the notice about a change of an account. */
export const giveNotice = async (event: CredentialEvent, { deps }: PolicyContext<AccountDeps>): Promise<void> => {
  const { id, streamId: accountId, at, meta } = event;
  const data = { accountId, changed: credentialChangeOf(event), at };
  await accountNotice.scheduleOnce(deps.jobs, meta, { id, dueAt: deps.now(), data });
};
