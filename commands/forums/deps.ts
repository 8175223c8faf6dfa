/** What the commands on forums need. */
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { forumSettings } from './settings.ts';

export type ForumDeps = Pick<CoreDeps, 'aggregates'>;
/** Also where something is written. */
export type WritingDeps = Pick<CoreDeps, 'aggregates' | 'store' | 'codec' | 'pool' | 'vault'> &
  WithSettings<typeof forumSettings>;

/** Somebody who writes. Admins moderate the forums. */
export interface Writer {
  readonly accountId: string;
  readonly isModerator: boolean;
}
