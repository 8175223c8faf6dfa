/** Stories end when their retention is over. What ended takes its file and its views with it. */
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { evidenceUntil } from '../../domain/files/evidence.ts';
import type { Usage } from '../../domain/files/file.ts';
import type { EventOf } from '../../domain/modules.ts';
import { story } from '../../domain/stories/story.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { removeUnused } from '../files/attachFiles.ts';
import type { FileUse } from '../files/fileUses.ts';
import { hasOpenAppeal } from '../reports/appeals.ts';
import type { StoryDeps } from './deps.ts';
import { resortStoryUsage, resortStoryUse, storyUsage, storyUse } from './fileUses.ts';
import { deleteViews } from './views.ts';

/** The job's id is the story's. A removed one stays until its author's appeal is answered. */
export const storyEnd = defineJob<object, StoryDeps>('story_end', async ({ id }, { deps, context }) => {
  const { state } = await deps.aggregates.load(story, id);
  if (state.status === 'removed' && (await hasOpenAppeal(deps, { kind: 'story', id, number: state.removals })))
    return { againAt: addMs(context.at, DAY_MS) };
  await deps.aggregates.handle(story, id, { type: 'EndStory' }, context);
  return undefined;
});

type Dropping = Recorded<EventOf<'StoryDeleted' | 'StoryEnded' | 'ResortStoryChanged' | 'ResortStoryDeleted'>>;

/** A story of the resort that was changed again may show its file again. */
const dropFiles = (
  { data }: Dropping,
  { deps, context }: PolicyContext<StoryDeps>,
  usage: Usage,
  isUsed: FileUse<StoryDeps>,
): Promise<void> => removeUnused(deps, context, { ids: data.dropped, usage }, (attached) => isUsed(deps, attached));

const forget = async (event: Recorded<EventOf<'StoryDeleted' | 'StoryEnded'>>, ctx: PolicyContext<StoryDeps>) => {
  const { streamId: id } = event;
  await dropFiles(event, ctx, storyUsage(id), storyUse);
  await deleteViews(ctx.deps.pool, id);
  await storyEnd.cancel(ctx.deps.jobs, id);
};

export const storyPolicy = policy<StoryDeps>('stories', {
  StoryPosted: ({ streamId: id, data, meta }, { deps }) => {
    const keptMs = deps.settings.storyRetentionDays * DAY_MS;
    const dueAt = addMs(data.expiresAt, keptMs);
    return storyEnd.schedule(deps.jobs, meta, { id, dueAt, data: {} });
  },
  StoryDeleted: async (event, ctx) => {
    if (event.data.dropped.length > 0) return forget(event, ctx);
    // It was reported: it ends when the evidence does.
    const { streamId: id, at, meta } = event;
    await deleteViews(ctx.deps.pool, id);
    await storyEnd.schedule(ctx.deps.jobs, meta, { id, dueAt: evidenceUntil(at), data: {} });
  },
  StoryEnded: forget,
  ResortStoryChanged: (event, ctx) => dropFiles(event, ctx, resortStoryUsage(event.streamId), resortStoryUse),
  ResortStoryDeleted: async (event, ctx) => {
    await dropFiles(event, ctx, resortStoryUsage(event.streamId), resortStoryUse);
    await deleteViews(ctx.deps.pool, event.streamId);
  },
});
