/** What the commands on threads and messages need. */
import type { AccountDeps } from '../accounts/deps.ts';
import type { CoreDeps } from '../core/deps.ts';

export interface ChatPorts {
  readonly settings: ChatSettings;
}
interface ChatSettings {
  /** New chats with people who are no friends; 0 = any number. `rateLimits` multiplies it. */
  readonly chatStrangersPerDay: number;
}

export type ChatDeps = Pick<CoreDeps, 'aggregates'>;
/** Also where messages are sent: which files one has is in the log only. */
export type SendDeps = Pick<CoreDeps, 'aggregates' | 'store' | 'codec'>;
/** Also where threads begin, and where the members of a group change. */
export type GroupDeps = Pick<AccountDeps, 'aggregates' | 'pool' | 'vault'> & {
  readonly settings: ChatSettings & Pick<AccountDeps['settings'], 'rateLimits'>;
};
