/** What the commands on support tickets need. */
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { supportSettings } from './settings.ts';

export type SupportDeps = CoreDeps & WithSettings<typeof supportSettings>;
