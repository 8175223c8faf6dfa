/** What notifications need beside the core. */
import type { CoreDeps } from '../core/deps.ts';
import type { NotificationDeclaration } from '../core/notification.ts';
import type { MailPorts } from '../mail/deps.ts';
import type { LanguagePort } from '../mail/language.ts';

/** What the modules declare, by name. */
export interface NotificationsPort {
  readonly notifications: ReadonlyMap<string, NotificationDeclaration>;
}
export type NotificationDeps = CoreDeps & NotificationsPort & MailPorts & LanguagePort;
