/** The port that hands e-mails over to a mail server. */
import type { Attachment } from './mail.ts';

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

/** The server refused the e-mail for good. The message has codes only: no address and no words of the server. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** The reply code: 550. */
  readonly code: number;
  /** Whether it refused the address itself, and not only this e-mail. */
  readonly isOfAddress: boolean;
  constructor(code: number, isOfAddress: boolean) {
    super(`the mail server refused the ${isOfAddress ? 'address' : 'e-mail'}: ${code}`);
    this.code = code;
    this.isOfAddress = isOfAddress;
  }
}

/** The e-mail was not taken this time, or it is not known whether it was. The message has codes only. */
export class MailDelayed extends Error {
  override readonly name = 'MailDelayed';
  /** `recipient`: the server answered and wants this e-mail later. `server`: it cannot be reached, or does not accept us. */
  readonly by: 'server' | 'recipient';
  constructor(by: MailDelayed['by'], reason: string) {
    super(`the mail server did not take the e-mail: ${reason}`);
    this.by = by;
  }
}

export interface MailTransport {
  /** @throws MailRefused, MailDelayed */
  send(message: Message): Promise<void>;
  close(): void;
}
