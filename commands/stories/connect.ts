/** The environment settings of stories. */
import { integer } from '../../infra/settings.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { ModuleConfig } from '../core/module.ts';

export const storySettings = {
  STORY_RETENTION_DAYS: integer(
    7,
    0,
    365,
    'Days for which an expired story and its file are kept for its author and for reports; then they are deleted.',
  ),
};

export interface StoryPorts {
  readonly settings: { readonly storyRetentionDays: number };
}
export type StoryDeps = CoreDeps & { readonly settings: CoreDeps['settings'] & StoryPorts['settings'] };

export const connectStories = ({ STORY_RETENTION_DAYS }: ModuleConfig<typeof storySettings>): StoryPorts => ({
  settings: { storyRetentionDays: STORY_RETENTION_DAYS },
});
