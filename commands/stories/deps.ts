/** What the end of stories needs. */
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { storySettings } from './settings.ts';

export type StoryDeps = CoreDeps & WithSettings<typeof storySettings>;
