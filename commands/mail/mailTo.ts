/** Sends e-mails to people. Modules above say what they are about (`Mail`); this one knows where and how. */
import { hasCome } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { addressIdOf, canGetMail } from './addresses.ts';
import { mailDelivery } from './delivery.ts';
import type { MailDeps } from './deps.ts';
import type { Mail } from './mail.ts';
import { keepMail, type QueuedMail, rowIdOf } from './queue.ts';

export type { MailDeps } from './deps.ts';
export { writtenLanguage } from './language.ts';
export type { Attachment, Mail } from './mail.ts';

/** What an e-mail follows from. */
export interface MailCause {
  readonly correlationId: string;
}

/** Queues an e-mail to the person's address, if they have one that is verified. Repeated with the same id it does nothing. */
export const mailTo = async (deps: MailDeps, cause: MailCause, personId: string, mail: Mail): Promise<void> => {
  if (await canGetMail(deps, personId)) await queueMail(deps, cause, personId, mail, null);
};

/** Queues an e-mail to these addresses, once for each, also where the person has replaced them. */
export const mailToAddresses = async (
  deps: MailDeps,
  cause: MailCause,
  personId: string,
  addresses: readonly string[],
  mail: Mail,
): Promise<void> => {
  for (const to of addresses)
    await queueMail(deps, cause, personId, { ...mail, id: derivedId(mail.id, addressIdOf(deps, to)), to }, null);
};

/** @param addressId the only address that it may go to, verified or not; null: the verified one of the person */
export const queueMail = async (
  deps: MailDeps,
  cause: MailCause,
  personId: string,
  mail: QueuedMail,
  addressId: string | null,
): Promise<void> => {
  if (deps.mailTransport === null || hasCome(mail.expiresAt, deps.now())) return;
  if (!(await keepMail(deps, personId, mail, addressId))) return;
  const id = rowIdOf(mail);
  await mailDelivery.scheduleOnce(deps.jobs, cause, { id, dueAt: deps.now(), data: {} });
};
