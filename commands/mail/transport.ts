/** The port that hands e-mails over to a mail server. */
import { OutsideFault } from '../../infra/outsideFault.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';
import type { Attachment } from './mail.ts';

/** Why this module holds personal data. */
export const mailPurpose = {
  purpose: 'send e-mails to people; marketing only with consent',
  basis: 'contract',
  seenBy: ['self', 'provider'],
} as const;

export const mailServer: ExternalPersonalData = {
  what: 'e-mails at the mail server and in the mailbox',
  where: 'provider',
  why: mailPurpose,
  retention: { until: 'the mail server has delivered it; the mailbox is its owner’s' },
  exported: 'the person has them',
  erased: 'what was sent cannot be called back; what waits is not sent',
};

/** An e-mail as it leaves. The sender's address is the transport's. */
export interface Message {
  /** Without the domain. The same for every attempt, so that a copy can be recognised. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly Attachment[];
  /** Ends the marketing e-mails by a POST (RFC 8058); null: this is no marketing. */
  readonly unsubscribeUrl: string | null;
}

/**
 * What a mail server refuses for good:
 * - `address`: there is no such mailbox
 * - `unsupported`: it cannot send to such an address (no SMTPUTF8)
 * - `full`: the mailbox takes nothing more
 * - `blocked`: it does not want this e-mail, or none of ours; only an operator can change that
 */
export type Refusal = 'address' | 'unsupported' | 'full' | 'blocked';

/** The server refused the e-mail for good. The message has codes only: no address and no words of the server. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** The reply code: 550. */
  readonly code: number;
  readonly refusal: Refusal;
  /** The server's words on one line, with `<address>` for every address in it. Stored encrypted, and never logged. */
  readonly reply: string;
  constructor(code: number, refusal: Refusal, reply: string) {
    super(`the mail server refused the e-mail (${refusal}): ${code}`);
    this.code = code;
    this.refusal = refusal;
    this.reply = reply;
  }
}

/** The e-mail was not taken this time, or it is not known whether it was. The message names codes and the cause only. */
export class MailDelayed extends OutsideFault {
  override readonly name: string = 'MailDelayed';
  /** `recipient`: the server answered and wants this e-mail later. `server`: it cannot be reached, or does not accept us. */
  readonly by: 'server' | 'recipient';
  /** The reply code: 451; null: there was no reply. */
  readonly code: number | null;
  constructor(by: MailDelayed['by'], reason: string, code: number | null = null) {
    super(`the mail server did not take the e-mail: ${reason}`);
    this.by = by;
    this.code = code;
  }
}

/** The whole e-mail was sent, and no answer came, or was waited for: the server may have taken it. */
export class MailUnanswered extends MailDelayed {
  override readonly name = 'MailUnanswered';
  constructor(reason: string) {
    super('server', `${reason}, after the whole e-mail was sent`);
  }
}

export interface Sending {
  /**
   * Called when the server has all of the e-mail but its end. From here on it may have arrived: the end is sent once this
   * resolves. When it rejects, the e-mail is not sent.
   */
  readonly beforeEnd?: () => Promise<void>;
  /** Fires when this process is told to end: an answer that does not come in seconds is not waited for any more. */
  readonly stopping?: AbortSignal | undefined;
}

export interface MailTransport {
  /** @throws MailRefused, MailDelayed, MailUnanswered; what `beforeEnd` throws */
  send(message: Message, sending?: Sending): Promise<void>;
  /** Connects and signs in, and sends nothing. @throws what keeps it from that */
  check(): Promise<void>;
  close(): void;
}
