/** What the commands on threads and messages need. */
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { chatSettings } from './settings.ts';

export type ChatDeps = Pick<CoreDeps, 'aggregates'>;
/** Also where messages are sent: which files one has is in the log only. */
export type SendDeps = Pick<CoreDeps, 'aggregates' | 'store' | 'codec'>;
/** Also where threads begin, and where the members of a group change. */
export type GroupDeps = Pick<CoreDeps, 'aggregates' | 'pool' | 'vault'> & WithSettings<typeof chatSettings>;
