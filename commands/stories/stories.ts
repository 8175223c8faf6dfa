/** Stories of people: posted, deleted by their author, removed by an admin. */
import { shortName } from '../../domain/accounts/account.ts';
import { existing, notFound } from '../../domain/core/decider.ts';
import { addMs, DAY_S } from '../../domain/core/instants.ts';
import { file } from '../../domain/files/file.ts';
import { isResortStoryShown, resortStory } from '../../domain/stories/resortStory.ts';
import { isShownAt, type OpenStory, SHOWN_MS, type Story, story } from '../../domain/stories/story.ts';
import { derivedId } from '../../infra/ids.ts';
import { scaled } from '../../infra/scaled.ts';
import { loadAccount } from '../accounts/accounts.ts';
import { countOrRefuse } from '../accounts/counters.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import { type CommandContext, followUp, madeBefore } from '../core/handle.ts';
import { filesOf } from '../files/unused.ts';
import { blockedBetween } from '../friends/friends.ts';
import { storyUsage, withMedia } from './fileUses.ts';

/** Stories of one person in a day, multiplied by `RATE_LIMITS`. */
const PER_DAY = 30;

type Deps = Pick<AccountDeps, 'aggregates'>;
type CountingDeps = Pick<AccountDeps, 'aggregates' | 'pool' | 'vault' | 'settings'>;

const open = (state: Story): OpenStory => existing(state, 'story', 'gone', 'deleted');

const countStory = async ({ pool, vault, settings }: CountingDeps, person: string, at: string): Promise<void> => {
  const max = scaled(PER_DAY, settings.rateLimits);
  const counter = { key: vault.fingerprint('stories', person), max, seconds: DAY_S };
  await countOrRefuse(pool, [counter], at, () => `You can post ${max} stories a day. Try again later.`);
};

export interface Posted {
  readonly storyId: string;
  readonly story: OpenStory;
}

/**
 * Posts a file of the actor as a story. Repeated with the same `context.commandId`, it is the same story.
 * @throws Rejected `not_found` and `conflict` for the file, `invalid` for a long video, `too_many_attempts`
 */
export const postStory = async (
  deps: CountingDeps,
  context: CommandContext,
  { mediaId, text }: { readonly mediaId: string; readonly text: string },
): Promise<Posted> => {
  const authorId = context.actor.id;
  const storyId = derivedId(context.commandId, 'story');
  const before = await madeBefore(deps, story, storyId, context);
  if (before.status !== 'none') return { storyId, story: open(before) };
  await countStory(deps, authorId, context.at);
  const author = shortName(await loadAccount(deps, authorId));
  const expiresAt = addMs(context.at, SHOWN_MS);
  return withMedia(deps, context, { mediaId, usage: storyUsage(storyId) }, async (media) => {
    const command = { type: 'PostStory', authorId, author, text, media, expiresAt } as const;
    return { storyId, story: open((await deps.aggregates.handle(story, storyId, command, context)).state) };
  });
};

/**
 * Safe to repeat.
 * @param isReported whether a report of it waits for an answer: then it is kept for admins
 * @throws Rejected `not_found`, also for a story of somebody else
 */
export const deleteStory = async (
  deps: Deps,
  context: CommandContext,
  id: string,
  isReported: boolean,
): Promise<void> => {
  await deps.aggregates.handle(story, id, { type: 'DeleteStory', by: context.actor.id, isReported }, context);
};

/** By an admin, with a reason for the author. @throws Rejected `not_found` */
export const removeStory = async (deps: Deps, context: CommandContext, id: string, reason: string): Promise<void> => {
  await deps.aggregates.handle(story, id, { type: 'RemoveStory', reason }, context);
};

/** What was not removed stays as it is. */
export const restoreStory = async (deps: Deps, context: CommandContext, id: string): Promise<void> => {
  await deps.aggregates.handle(story, id, { type: 'RestoreStory' }, context);
};

/** Who looks. */
export interface Viewer {
  readonly id: string;
  readonly role: string;
}

/**
 * A story of a person that the viewer sees now.
 * @throws Rejected `not_found`, also when one of the two has blocked the other
 */
export const visibleStory = async (deps: Deps, viewer: Viewer, id: string, at: string): Promise<OpenStory> => {
  const { state } = await deps.aggregates.load(story, id);
  const isOwn = 'authorId' in state && state.authorId === viewer.id;
  if (!isShownAt(state, at) || (!isOwn && (await blockedBetween(deps, viewer.id, state.authorId))))
    throw notFound('story');
  return state;
};

/** Whether the viewer is the author of what they see. @throws Rejected `not_found` for what the viewer does not see now */
export const seesOwn = async (deps: Deps, viewer: Viewer, id: string, at: string): Promise<boolean> => {
  const { state } = await deps.aggregates.load(resortStory, id);
  if (isResortStoryShown(state, viewer.role, at)) return false;
  return (await visibleStory(deps, viewer, id, at)).authorId === viewer.id;
};

/** Ends the stories of an erased person. They are found by their files. */
export const endStoriesOf = async (
  deps: Pick<AccountDeps, 'aggregates' | 'pool'>,
  context: CommandContext,
  person: string,
): Promise<void> => {
  for (const fileId of await filesOf(deps.pool, person)) {
    const { state } = await deps.aggregates.load(file, fileId);
    if (!('usage' in state) || state.usage?.kind !== 'story') continue;
    const { id } = state.usage;
    if ((await deps.aggregates.load(story, id)).state.status === 'none') continue;
    await deps.aggregates.handle(story, id, { type: 'EndStory' }, followUp(context, `end ${id}`));
  }
};
