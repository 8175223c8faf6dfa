/** Proving that an e-mail address is one's own, by a code that is sent to it. */
import { Rejected } from '../../domain/core/decider.ts';
import { addMs, DAY_S, MINUTE_MS } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { confirmEmail, loadAccount } from '../accounts/accounts.ts';
import { type CodeStatus, consumeCode, issueCode } from '../accounts/codes.ts';
import { countOrRefuse, uncount } from '../accounts/counters.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import { identifier } from '../accounts/identityIds.ts';
import { afterUse, NEW_CODE } from '../accounts/usedUp.ts';
import type { CommandContext } from '../core/handle.ts';
import { addressIdOf } from './addresses.ts';
import type { MailDeps } from './deps.ts';
import { writtenLanguage } from './language.ts';
import type { Mail } from './mail.ts';
import { queueMail } from './mailTo.ts';

type Deps = MailDeps & Pick<AccountDeps, 'settings'>;

/** Codes a day, for an account and for an address: nobody can have a stranger's mailbox filled. */
const PER_DAY = 10;
/** Longer than the code is valid, because servers put first e-mails off for some minutes. */
const WORTH_MS = 15 * MINUTE_MS;

const TEXTS = {
  ru: {
    subject: (code: string) => `Код подтверждения: ${code}`,
    paragraphs: (code: string) => [
      `Ваш код подтверждения адреса: ${code}. Он действует 5 минут.`,
      'Если вы не запрашивали код, ничего не делайте: кто-то ввёл ваш адрес по ошибке.',
    ],
  },
  en: {
    subject: (code: string) => `Your code: ${code}`,
    paragraphs: (code: string) => [
      `Your code to verify this address: ${code}. It is valid for 5 minutes.`,
      'If you did not ask for it, do nothing: somebody has entered your address by mistake.',
    ],
  },
} as const;

const codeMail = (id: string, code: string, language: Mail['language'], expiresAt: string): Mail => ({
  id,
  subject: TEXTS[language].subject(code),
  paragraphs: TEXTS[language].paragraphs(code),
  link: null,
  attachments: [],
  marketing: false,
  language,
  expiresAt,
});

/** @param named an address that is to be proved before the account has it */
const emailOf = async (deps: Deps, accountId: string, named?: string) => {
  const { email, emailVouched, language } = await loadAccount(deps, accountId);
  const wanted = named === undefined ? email : identifier('email', named);
  if (wanted === null)
    throw new Rejected('invalid', 'The account has no e-mail address. Add one with PUT /api/v1/users/me.', {
      fields: ['email'],
    });
  return { email: wanted, isVerified: emailVouched && wanted === email, isNew: wanted !== email, language };
};

/** @returns the counters, to take the count back for a code that was not sent */
const countCode = async (deps: Deps, at: string, accountId: string, email: string): Promise<readonly string[]> => {
  const keys = [accountId, email].map((each) => deps.vault.fingerprint('email_code', each));
  const counters = keys.map((key) => ({ key, max: PER_DAY, seconds: DAY_S }));
  await countOrRefuse(deps.pool, counters, at, (seconds) => `Too many codes were sent. Try again in ${seconds} s.`);
  return keys;
};

/**
 * Sends a code to the e-mail address of the account, unless it is verified, or to one that the account is to have.
 * @throws Rejected `invalid` without an address, `too_many_attempts`, `mail_unavailable`
 */
export const sendEmailCode = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  named?: string,
): Promise<Omit<CodeStatus, 'requestId'> & { readonly isVerified: boolean }> => {
  const { email, isVerified, isNew, language } = await emailOf(deps, accountId, named);
  if (isVerified) return { isVerified, canSendInS: 0, codeActive: false, attemptsLeft: 0 };
  if (deps.mailTransport === null) throw new Rejected('mail_unavailable', 'This system sends no e-mails.');
  const counted = await countCode(deps, context.at, accountId, email);
  const { code, status } = await issueCode(deps, context, { to: email }).catch(async (error: unknown) => {
    await uncount(deps.pool, counted);
    throw error;
  });
  const expiresAt = addMs(context.at, WORTH_MS);
  const written = await writtenLanguage(deps, accountId, language);
  const mail = codeMail(derivedId(context.commandId, 'code'), code, written, expiresAt);
  await queueMail(deps, context, accountId, isNew ? { ...mail, to: email } : mail, addressIdOf(deps, email));
  return { ...status, isVerified };
};

/** @throws Rejected `invalid` without an address, `wrong_credentials`, `too_many_attempts`, `conflict`, `start_again` */
export const verifyEmail = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  code: string,
): Promise<void> => {
  const { email, isVerified } = await emailOf(deps, accountId);
  if (isVerified) return;
  await consumeCode(deps, context, { to: email }, code);
  await afterUse(deps, NEW_CODE, () => confirmEmail(deps, context, accountId, email));
};
