/**
 * The job that sends an e-mail. It is tried for a day, less and less often, and given up earlier when the e-mail expires or
 * is refused for good. An attempt of which it is not known whether it arrived is repeated with the same Message-ID.
 */
import { addMs, hasCome } from '../../domain/core/instants.ts';
import { createKeyedQueue, Overloaded } from '../../infra/keyedQueue.ts';
import { metrics } from '../../infra/metrics.ts';
import { whileRenewing } from '../../infra/whileRenewing.ts';
import { hasConsent } from '../consents/consents.ts';
import { defineJob } from '../core/jobs.ts';
import { addressIdOf, addressOnFile, isUndeliverable, markUndeliverable } from './addresses.ts';
import type { MailDeps } from './deps.ts';
import {
  CLAIM_MS,
  endMail,
  type MailOutcome,
  recordAddress,
  releaseMail,
  renewMail,
  takeMail,
  type WaitingMail,
} from './queue.ts';
import { rendered } from './template.ts';
import { MailDelayed, MailRefused, type MailTransport } from './transport.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

/**
 * After this many attempts, which with the backoff take nearly a day, a receiver that keeps putting us off has refused.
 */
const PUT_OFF = 32;
/** A slow mail server must not take all places of the jobs of this process: what finds no place soon comes back later. */
const places = createKeyedQueue({ atOnce: 12, waiting: 20, patienceMs: 500 });
const FULL_MS = 10_000;

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

/** What becomes of an e-mail now. @throws MailDelayed to try again later */
const sent = async (deps: MailDeps, transport: MailTransport, mail: WaitingMail): Promise<MailOutcome> => {
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
  try {
    await transport.send({
      id,
      to,
      ...rendered(content, deps.settings, unsubscribe),
      attachments,
      unsubscribeUrl: unsubscribe,
    });
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    deps.log.warn({ person: personId, code: error.code, of_address: error.isOfAddress }, 'an e-mail was refused');
    if (error.isOfAddress && isOnFile)
      await markUndeliverable(deps.pool, { personId, addressId, cause: 'refused', code: error.code });
    return 'refused';
  }
};

const attempted = async (
  deps: MailDeps,
  transport: MailTransport,
  mail: WaitingMail,
  attempt: number,
): Promise<MailOutcome> => {
  try {
    return await sent(deps, transport, mail);
  } catch (error) {
    if (error instanceof MailDelayed && error.by === 'recipient' && attempt >= PUT_OFF) return 'refused';
    metrics.mails.inc({ outcome: 'delayed' });
    await releaseMail(deps.pool, mail);
    throw error;
  }
};

const deliver = async (deps: MailDeps, transport: MailTransport, id: string, attempt: number) => {
  const mail = await takeMail(deps, id);
  if (mail === null) return undefined;
  if ('takenUntil' in mail) return { againAt: mail.takenUntil };
  const renewing = {
    everyMs: CLAIM_MS / 3,
    renew: () => renewMail(deps.pool, mail),
    onFailure: (err: unknown) => deps.log.warn({ err }, 'the claim of an e-mail was not renewed'),
  };
  const outcome = await whileRenewing(renewing, () => attempted(deps, transport, mail, attempt));
  await endMail(deps.pool, id, outcome);
  metrics.mails.inc({ outcome });
  return undefined;
};

/** The job's id is that of the row. */
export const mailDelivery = defineJob<object, MailDeps>('mail', async ({ id, attempt }, { deps }) => {
  const { mailTransport } = deps;
  if (mailTransport === null) throw new MailDelayed('server', 'SMTP_URL is not set');
  return places
    .run('mail', () => deliver(deps, mailTransport, id, attempt))
    .catch((error: unknown) => {
      if (!(error instanceof Overloaded)) throw error;
      return { againAt: addMs(deps.now(), FULL_MS) };
    });
});
