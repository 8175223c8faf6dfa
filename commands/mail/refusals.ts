/** What a mail server means by refusing an e-mail for good. */
import { beginningOf } from '../../domain/core/storable.ts';
import { oneLine } from './template.ts';
import type { Refusal } from './transport.ts';

/** What nodemailer says of a failure. Its message is not used: it repeats the address and the words of the server. */
export interface SmtpFailure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Replies about the address itself, where the server sends no enhanced code: mailbox unknown, moved, malformed. */
const OF_ADDRESS = [550, 551, 553];
/** Many servers say with a plain 550 that they do not want our e-mails. */
const OF_US =
  /block|black ?list|listed|\brbl\b|dnsbl|spam|\bspf\b|dkim|dmarc|relay|policy|reputation|denied|banned|not (permitted|allowed|authori[sz]ed)|authenticat/i;
/** Syntax errors, which an address with other letters than ASCII is for a server without SMTPUTF8 (RFC 6531). */
const SYNTAX = [500, 501, 503, 504, 553, 555];
const FULL = 552;

/** RFC 3463, such as `5.1.1`; undefined: the reply has none. */
const enhancedCodeIn = ({ response = '' }: SmtpFailure): string | undefined =>
  /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];

/** 5.1.x speaks of the address (of the sender's: 5.1.7 to 5.1.9), 5.2.1 of a mailbox that was closed. */
const isOfAddress = (failure: SmtpFailure, enhanced: string | undefined): boolean => {
  if (enhanced !== undefined) return /^5\.(1\.([0-6]|10)|2\.1)$/.test(enhanced);
  return OF_ADDRESS.includes(failure.responseCode ?? 0) && !OF_US.test(failure.response ?? '');
};

const isUnsupported = ({ responseCode = 0 }: SmtpFailure, enhanced: string | undefined): boolean =>
  enhanced === undefined ? SYNTAX.includes(responseCode) : /^5\.(1\.3|5\.\d+|6\.[789])$/.test(enhanced);

const hasOtherLetters = (to: string): boolean => /[^\p{ASCII}]/u.test(to.slice(0, to.lastIndexOf('@')));

/** @param failure with a reply code from 500 on @param to the receiver's address */
export const refusalOf = (failure: SmtpFailure, to: string): Refusal => {
  const enhanced = enhancedCodeIn(failure);
  const isRecipient = failure.command === 'RCPT TO';
  if (hasOtherLetters(to) && failure.code === 'EENVELOPE' && isUnsupported(failure, enhanced)) return 'unsupported';
  if (enhanced === '5.2.2' || (enhanced === undefined && isRecipient && failure.responseCode === FULL)) return 'full';
  return isRecipient && isOfAddress(failure, enhanced) ? 'address' : 'blocked';
};

const LONGEST_REPLY = 300;

/** The server's words on one line, without addresses of people. */
export const replyOf = ({ response = '' }: SmtpFailure, to: string): string => {
  const local = to.slice(0, to.lastIndexOf('@'));
  const words = oneLine(response.replaceAll(to, '<address>').replace(/[^\s<>()"',;:]+@[^\s<>()"',;]+/g, '<address>'));
  return beginningOf(local.length < 3 ? words : words.replaceAll(local, '<address>'), LONGEST_REPLY);
};
