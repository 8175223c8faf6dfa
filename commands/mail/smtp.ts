/** Hands e-mails over to an SMTP server (nodemailer), on a few connections that stay open between e-mails. */
import type { ConnectionOptions } from 'node:tls';
import { createTransport } from 'nodemailer';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { oneLine } from './template.ts';
import { MailDelayed, MailRefused, type MailTransport, type Message } from './transport.ts';

/** An attempt ends after this long. Until then its worker renews its claim of the e-mail. */
const ATTEMPT_MS = MINUTE_MS;
const CONNECT_MS = 10_000;
const CONNECTIONS = 4;
/** Servers close idle connections; one that is closed in the middle of a command would look like a failure. */
const IDLE_MS = 10_000;

export interface SmtpOptions {
  /** `smtp://` (port 587) or `smtps://` (465), with user and password. */
  readonly url: string;
  /** `Name <address>`. */
  readonly from: string;
  /** Whether `smtp://` must be upgraded to TLS before anything is said. */
  readonly requireTls: boolean;
  readonly tls?: ConnectionOptions;
  readonly attemptMs?: number;
}

const domainOf = (from: string): string => /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

/** What nodemailer says of a failure. Its message is not used: it repeats the address and the words of the server. */
interface Failure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Replies about the address itself, where the server sends no enhanced code: mailbox unknown, moved, malformed. */
const OF_ADDRESS = [550, 551, 553];

/** RFC 3463: 5.1.x speaks of the address and 5.2.1 of a mailbox that was closed; 5.7.x is a policy, such as against spam. */
const isOfAddress = ({ responseCode = 0, response = '' }: Failure): boolean => {
  const enhanced = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  return enhanced === undefined ? OF_ADDRESS.includes(responseCode) : /^5\.(1\.|2\.1$)/.test(enhanced);
};

/** Our own faults (sign-in, sender, TLS, an unknown host) are never held against the receiver. */
const errorOf = (error: unknown): MailRefused | MailDelayed => {
  const { code = 'unknown', command = '', responseCode } = error as Failure;
  const isRecipient = code === 'EENVELOPE' && command === 'RCPT TO';
  const isMessage = code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'DATA');
  if (responseCode === undefined || responseCode === 421 || !(isRecipient || isMessage))
    return new MailDelayed('server', responseCode === undefined ? code : `${code} ${responseCode}`);
  if (responseCode < 500) return new MailDelayed('recipient', String(responseCode));
  return new MailRefused(responseCode, isRecipient && isOfAddress(error as Failure));
};

const attachmentsOf = ({ attachments }: Message) =>
  attachments.map(({ name, type, content }) => ({
    filename: oneLine(name).replace(/[/\\]/g, '_'),
    contentType: oneLine(type),
    content,
  }));

const listHeaders = ({ unsubscribeUrl }: Message): Record<string, string> =>
  unsubscribeUrl === null
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

export const createSmtpTransport = ({
  url,
  from,
  requireTls,
  tls,
  attemptMs = ATTEMPT_MS,
}: SmtpOptions): MailTransport => {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const domain = domainOf(from);
  const connect = () =>
    createTransport({
      pool: true,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: requireTls,
      ...(tls && { tls }),
      ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      maxConnections: CONNECTIONS,
      idleTimeout: IDLE_MS,
      // The queue repeats, and knows when.
      maxRequeues: 0,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: attemptMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  let mailer: ReturnType<typeof connect> | undefined;

  return {
    send: async (message) => {
      mailer ??= connect();
      const { id, to, subject, text, html } = message;
      try {
        await mailer.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated', ...listHeaders(message) },
          attachments: attachmentsOf(message),
          signal: AbortSignal.timeout(attemptMs),
        });
      } catch (error) {
        throw errorOf(error);
      }
    },
    close: () => mailer?.close(),
  };
};
