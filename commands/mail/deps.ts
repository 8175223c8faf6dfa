/** What sending e-mails needs beside the core. */
import type { CoreDeps } from '../core/deps.ts';
import type { LanguagePort } from './language.ts';
import type { MailTransport } from './transport.ts';

export interface MailPorts {
  /** null: no e-mail can be sent, and none is queued. */
  readonly mailTransport: MailTransport | null;
  readonly settings: MailSettings;
}
interface MailSettings {
  /** What the sender is called: the name in `MAIL_FROM`. */
  readonly senderName: string;
  /** What reports of the mail provider are signed with; null: none are taken. */
  readonly mailReportSecret: string | null;
}
export type MailDeps = Pick<
  CoreDeps & MailPorts & LanguagePort,
  'aggregates' | 'vault' | 'pool' | 'jobs' | 'now' | 'log' | 'mailTransport' | 'chosenLanguage' | 'settings'
>;
