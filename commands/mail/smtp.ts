/** Hands e-mails over to an SMTP server (nodemailer), on a few connections that stay open between e-mails. */
import { Readable } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { deepestCause } from '../../infra/outsideFault.ts';
import { refusalOf, replyOf, type SmtpFailure } from './refusals.ts';
import { oneLine } from './template.ts';
import { MailDelayed, MailRefused, type MailTransport, MailUnanswered, type Message } from './transport.ts';

/** An attempt ends after this long, unless the whole e-mail was sent by then. Its worker renews its claim meanwhile. */
const ATTEMPT_MS = MINUTE_MS;
/**
 * For the answer to the whole e-mail: servers check it for spam, and pass it on, before they answer. Who gives up earlier
 * sends it twice (RFC 5321, 4.5.3.2.6).
 */
const LAST_ANSWER_MS = 10 * MINUTE_MS;
/** For an answer once this process is told to end; it is killed after a few seconds more. */
const STOPPING_MS = 5_000;
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
  /** How we call ourselves (EHLO): a host name, or an address in brackets. Many servers refuse an address that is not ours. */
  readonly ownName?: string;
  readonly attemptMs?: number;
  readonly lastAnswerMs?: number;
  readonly stoppingMs?: number;
}

interface LimitedMail extends SendMailOptions {
  /** The end of the e-mail is sent once this resolves, and never if it does not. */
  readonly beforeEnd: () => Promise<void>;
}

/** Passes all bytes on as they are asked for; their end waits for `before`. */
const endingAfter = (before: () => Promise<void>, input: Readable): Readable => {
  async function* bytes() {
    yield* input;
    await before();
  }
  return Readable.from(bytes(), { objectMode: false });
};

const domainOf = (from: string): string => /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

/** Our own faults (sign-in, TLS, an unknown host) are never held against the receiver, and pass. */
const errorOf = (error: unknown, to: string, isSent: boolean): MailRefused | MailDelayed => {
  const failure = error as SmtpFailure;
  const { code = 'unknown', command = '', responseCode } = failure;
  const isOfMail = code === 'EMESSAGE' || (code === 'EENVELOPE' && ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command));
  if (responseCode === undefined)
    return isSent ? new MailUnanswered(deepestCause(error)) : new MailDelayed('server', deepestCause(error));
  if (responseCode === 421 || !isOfMail) return new MailDelayed('server', deepestCause(error), responseCode);
  if (responseCode < 500) return new MailDelayed('recipient', String(responseCode), responseCode);
  return new MailRefused(responseCode, refusalOf(failure, to), replyOf(failure, to));
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
  ownName,
  attemptMs = ATTEMPT_MS,
  lastAnswerMs = LAST_ANSWER_MS,
  stoppingMs = STOPPING_MS,
}: SmtpOptions): MailTransport => {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const domain = domainOf(from);
  const connect = () => {
    const mailer = createTransport({
      pool: true,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: requireTls,
      ...(tls && { tls }),
      ...(ownName !== undefined && { name: ownName }),
      ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      maxConnections: CONNECTIONS,
      idleTimeout: IDLE_MS,
      // The queue repeats, and knows when.
      maxRequeues: 0,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      // Each e-mail has its own limit, which depends on how far it has got.
      socketTimeout: attemptMs + lastAnswerMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    mailer.use('stream', ({ data, message }, done) => {
      message.processFunc((input) => endingAfter((data as LimitedMail).beforeEnd, input as Readable));
      done();
    });
    return mailer;
  };
  let mailer: ReturnType<typeof connect> | undefined;

  return {
    send: async (message, { beforeEnd, stopping } = {}) => {
      mailer ??= connect();
      const { id, to, subject, text, html } = message;
      const limit = new AbortController();
      const abortAfter = (ms: number) => setTimeout(() => limit.abort(), ms);
      let timer = abortAfter(attemptMs);
      let isSent = false;
      let notEnded: unknown;
      const waitAtMost = (ms: number): void => {
        clearTimeout(timer);
        timer = abortAfter(stopping?.aborted ? Math.min(ms, stoppingMs) : ms);
      };
      const onStop = () => waitAtMost(stoppingMs);
      if (stopping?.aborted) onStop();
      stopping?.addEventListener('abort', onStop);
      const mail: LimitedMail = {
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...listHeaders(message) },
        attachments: attachmentsOf(message),
        signal: limit.signal,
        beforeEnd: async () => {
          try {
            await beforeEnd?.();
          } catch (error) {
            notEnded = error;
            limit.abort();
            return new Promise(() => undefined); // the connection is closed without the end
          }
          isSent = true;
          waitAtMost(lastAnswerMs);
        },
      };
      try {
        await mailer.sendMail(mail);
      } catch (error) {
        throw notEnded ?? errorOf(error, to, isSent);
      } finally {
        clearTimeout(timer);
        stopping?.removeEventListener('abort', onStop);
      }
    },
    check: async () => {
      mailer ??= connect();
      await mailer.verify();
    },
    close: () => mailer?.close(),
  };
};
