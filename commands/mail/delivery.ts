/**
 * The job that sends an e-mail. It is tried for a day, less and less often, and given up earlier when the e-mail expires or
 * the address does not exist. What the server refuses for a reason of its own is kept. An attempt of which it is not known
 * whether it arrived is repeated after a long pause, with the same Message-ID.
 */
import { hasCome, MINUTE_MS } from '../../domain/core/instants.ts';
import { metrics } from '../../infra/metrics.ts';
import { hasConsent } from '../consents/consents.ts';
import { defineJob } from '../core/jobs.ts';
import { addressIdOf, addressOnFile, isUndeliverable, markUndeliverable } from './addresses.ts';
import type { MailDeps } from './deps.ts';
import { cueStoppedMail } from './notifications.ts';
import {
  endMail,
  type MailOutcome,
  mailOutcomes,
  pauseMail,
  recordAddress,
  releaseMail,
  takeMail,
  type WaitingMail,
} from './queue.ts';
import { keepRefused } from './refusedMails.ts';
import { rendered } from './template.ts';
import { MailDelayed, MailRefused, type MailTransport, MailUnanswered, type Sending } from './transport.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

/**
 * After this many attempts, which with the backoff take nearly a day, a receiver that keeps putting us off has refused.
 */
const PUT_OFF = 32;
/** A slow mail server must not take all room of the jobs of this process. */
const AT_ONCE = 12;
/** The reply code for a mailbox without room that may have some later. */
const FULL_FOR_NOW = 452;

/** Where the e-mail goes, and whether that is the address of the person now; null: nowhere any more. */
const addressFor = async (
  deps: MailDeps,
  { personId, addressId, content: { to } }: WaitingMail,
): Promise<{ readonly to: string; readonly isOnFile: boolean } | null> => {
  const found = await addressOnFile(deps, personId);
  if (to !== undefined) return { to, isOnFile: to === found?.address };
  if (!found) return null;
  const fits = addressId === null ? found.isVerified : addressIdOf(deps, found.address) === addressId;
  return fits ? { to: found.address, isOnFile: true } : null;
};

/** `kept`: the server refused it for a reason of its own. `unanswered`: it may have arrived. */
type Outcome = MailOutcome | 'kept' | 'unanswered';

/** What becomes of an e-mail that the server refused. */
const refused = async (deps: MailDeps, mail: WaitingMail, address: string | null, error: MailRefused) => {
  const { code, refusal, reply } = error;
  deps.log.warn({ person: mail.personId, error_code: code, refusal }, 'an e-mail was refused');
  const cause = refusal === 'address' ? 'refused' : refusal;
  await cueStoppedMail(deps, { mailId: mail.id, personId: mail.personId, cause });
  if (refusal !== 'address') {
    await keepRefused(deps, mail, { cause: refusal, code, reply });
    return 'kept';
  }
  const { personId } = mail;
  if (address !== null) await markUndeliverable(deps.pool, { personId, addressId: address, cause: 'refused', code });
  return 'refused';
};

/** What becomes of an e-mail now. @throws MailDelayed to try again later */
const sent = async (
  deps: MailDeps,
  transport: MailTransport,
  mail: WaitingMail,
  sending: Sending,
): Promise<Outcome> => {
  const { id, personId, content, expiresAt } = mail;
  if (hasCome(expiresAt, deps.now())) return 'expired';
  const address = await addressFor(deps, mail);
  if (address === null) return 'no_address';
  const { to, isOnFile } = address;
  const addressId = addressIdOf(deps, to);
  if (await isUndeliverable(deps.pool, personId, addressId)) return 'undeliverable';
  if (content.marketing && !(await hasConsent(deps, personId, 'marketing'))) return 'no_consent';
  const unsubscribe = content.marketing ? unsubscribeUrl(deps, personId) : null;
  const { attachments } = content;
  // What becomes of an address that was replaced says nothing about the present one.
  if (isOnFile) await recordAddress(deps.pool, id, addressId);
  const letter = { id, to, ...rendered(content, deps.settings, unsubscribe), attachments, unsubscribeUrl: unsubscribe };
  try {
    await transport.send(letter, sending);
    return 'sent';
  } catch (error) {
    if (error instanceof MailRefused) return refused(deps, mail, isOnFile ? addressId : null, error);
    throw error;
  }
};

const attempted = async (
  deps: MailDeps,
  transport: MailTransport,
  mail: WaitingMail,
  attempt: number,
  sending: Sending,
): Promise<Outcome> => {
  try {
    return await sent(deps, transport, mail, sending);
  } catch (error) {
    if (error instanceof MailUnanswered) {
      deps.log.warn({ err: error, id: mail.id }, 'it is not known whether an e-mail arrived: it is sent again later');
      return 'unanswered';
    }
    if (error instanceof MailDelayed && error.by === 'recipient' && attempt >= PUT_OFF) {
      const cause = error.code === FULL_FOR_NOW ? 'full' : 'blocked';
      await cueStoppedMail(deps, { mailId: mail.id, personId: mail.personId, cause });
      await keepRefused(deps, mail, { cause, code: error.code, reply: '' });
      return 'kept';
    }
    metrics.mails.inc({ outcome: 'delayed' });
    await releaseMail(deps.pool, mail);
    throw error;
  }
};

/** Another worker sends the e-mail meanwhile: this one was away for longer than the claim of its job. */
class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

const deliver = async (
  deps: MailDeps,
  transport: MailTransport,
  { id, attempt, stopping }: { readonly id: string; readonly attempt: number } & Pick<Sending, 'stopping'>,
) => {
  const mail = await takeMail(deps, id);
  if (mail === null) return undefined;
  if ('pausedUntil' in mail) return { againAt: mail.pausedUntil };
  const beforeEnd = async () => {
    if ((await pauseMail(deps.pool, mail)) === undefined) throw new TakenOver('another worker sends this e-mail');
  };
  const outcome = await attempted(deps, transport, mail, attempt, { beforeEnd, stopping });
  metrics.mails.inc({ outcome });
  if (outcome === 'unanswered') {
    const againAt = await pauseMail(deps.pool, mail);
    return againAt === undefined ? undefined : { againAt };
  }
  if (outcome !== 'kept') await endMail(deps.pool, id, outcome);
  return undefined;
};

/** A wait for the last answer is no hanging job. */
const LONGEST_MS = 15 * MINUTE_MS;

/** The job's id is that of the row. */
export const mailDelivery = defineJob<object, MailDeps>(
  'mail',
  async ({ id, attempt, stopping }, { deps }) => {
    const { mailTransport } = deps;
    if (mailTransport === null) throw new MailDelayed('server', 'SMTP_URL is not set');
    return deliver(deps, mailTransport, { id, attempt, stopping });
  },
  { longestMs: LONGEST_MS, atOnce: AT_ONCE, outcomes: mailOutcomes },
);
