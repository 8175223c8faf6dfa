/** Sends a message to operators: by mail, and by SMS what cannot wait or what no mail server takes. */
import { masked } from '../../commands/accounts/sms.ts';
import { SmsRefused, type SmsSender } from '../../commands/accounts/smsSender.ts';
import { rendered } from '../../commands/mail/template.ts';
import { MailRefused, type MailTransport } from '../../commands/mail/transport.ts';
import { deepestCause, OutsideFault } from '../../infra/outsideFault.ts';
import { withTimeout } from '../../infra/retry.ts';
import type { OperatorMessage } from './message.ts';

export interface Channels {
  /** null: no e-mails are sent. */
  readonly mail: MailTransport | null;
  readonly sms: SmsSender;
  readonly publicUrl: string;
  /** `OPERATORS`. */
  readonly operators: readonly string[];
}

/** How it went with one operator. */
export interface Sent {
  readonly to: string;
  /** Why it was not sent; undefined: it was. Without addresses. */
  readonly failed: string | undefined;
}

const SEND_MS = 30_000;

const isPhone = (operator: string): boolean => operator.startsWith('+');
const causeOf = (error: unknown): string =>
  [OutsideFault, MailRefused, SmsRefused].some((kind) => error instanceof kind)
    ? (error as Error).message
    : deepestCause(error);

const attempt = async (to: string, send: () => Promise<void>): Promise<Sent> => {
  try {
    await withTimeout(Promise.resolve().then(send), SEND_MS, 'no answer in time');
    return { to, failed: undefined };
  } catch (error) {
    return { to, failed: causeOf(error) };
  }
};

export const byMail = ({ mail, publicUrl, operators }: Channels, message: OperatorMessage): Promise<Sent[]> => {
  const { id, subject, paragraphs } = message;
  const content = { subject, paragraphs, attachments: [], link: null, marketing: false, language: 'en' } as const;
  const settings = {
    publicUrl,
    senderName: new URL(publicUrl).host,
    why: 'You get this e-mail because you are one of the operators (OPERATORS) of',
  };
  const letter = { id, ...rendered(content, settings, null), attachments: [], unsubscribeUrl: null };
  const send = async (to: string) => {
    if (mail === null) throw new OutsideFault('no e-mails are sent: SMTP_URL is not set');
    await mail.send({ ...letter, to });
  };
  return Promise.all(operators.filter((to) => !isPhone(to)).map((to) => attempt(to, () => send(to))));
};

export const bySms = ({ sms, operators }: Channels, message: OperatorMessage): Promise<Sent[]> =>
  Promise.all(operators.filter(isPhone).map((to) => attempt(to, () => sms.send(to, message.sms))));

const hasReached = (sent: readonly Sent[]): boolean => sent.some(({ failed }) => failed === undefined);

/** An SMS costs money and wakes people up: it is sent for what cannot wait, and where no e-mail could be sent. */
export const sendToOperators = async (
  channels: Channels,
  message: OperatorMessage,
  { isUrgent }: { readonly isUrgent: boolean },
): Promise<{ readonly isTold: boolean; readonly sent: readonly Sent[] }> => {
  const [mails, urgent] = await Promise.all([byMail(channels, message), isUrgent ? bySms(channels, message) : []]);
  const instead = isUrgent || hasReached(mails) ? [] : await bySms(channels, message);
  const sent = [...mails, ...urgent, ...instead];
  return { isTold: hasReached(sent), sent };
};

/** For the log: enough to recognise one's own. */
export const maskedOperator = (to: string): string =>
  isPhone(to) ? masked(to) : to.replace(/^(.).*@(.*)$/, '$1***@$2');
