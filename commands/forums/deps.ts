/** What the commands on forums need. */
import type { AccountDeps } from '../accounts/deps.ts';
import type { CoreDeps } from '../core/deps.ts';

export interface ForumPorts {
  readonly settings: ForumSettings;
}
interface ForumSettings {
  /** Posts of one account in an hour; 0 = any number. `rateLimits` multiplies it. */
  readonly forumPostsPerHour: number;
  /** Topics of one account in a day, likewise. */
  readonly forumTopicsPerDay: number;
}

export type ForumDeps = Pick<CoreDeps, 'aggregates'>;
/** Also where something is written. */
export type WritingDeps = Pick<AccountDeps, 'aggregates' | 'store' | 'codec' | 'pool' | 'vault'> & {
  readonly settings: ForumSettings & Pick<AccountDeps['settings'], 'rateLimits'>;
};

/** Somebody who writes. Admins moderate the forums. */
export interface Writer {
  readonly accountId: string;
  readonly isModerator: boolean;
}
