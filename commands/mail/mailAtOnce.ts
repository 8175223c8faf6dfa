/** The one e-mail that cannot wait in the queue: that to somebody whose address is about to be erased. */
import { deepestCause, OutsideFault } from '../../infra/outsideFault.ts';
import { withTimeout } from '../../infra/retry.ts';
import { addressIdOf, addressOnFile, isUndeliverable } from './addresses.ts';
import type { MailDeps } from './deps.ts';
import type { Mail } from './mail.ts';
import { rendered } from './template.ts';

const causeOf = (error: unknown): string => (error instanceof OutsideFault ? error.message : deepestCause(error));

const LONGEST_MS = 5_000;

/** Sends an e-mail to the verified address of a person, if there is one. It is tried once; a failure is only logged. */
export const mailAtOnce = async (deps: MailDeps, personId: string, mail: Mail): Promise<void> => {
  const { mailTransport, pool, settings, log } = deps;
  const found = await addressOnFile(deps, personId);
  if (mailTransport === null || !found?.isVerified) return;
  if (await isUndeliverable(pool, personId, addressIdOf(deps, found.address))) return;
  const { id, attachments } = mail;
  const letter = { id, to: found.address, ...rendered(mail, settings, null), attachments, unsubscribeUrl: null };
  try {
    await withTimeout(mailTransport.send(letter), LONGEST_MS, 'the mail server does not answer');
  } catch (error) {
    // The message of an error may name the address.
    log.warn({ error: (error as Error).name, reason: causeOf(error) }, 'an e-mail that could not wait was not sent');
  }
};
