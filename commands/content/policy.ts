/** Posts are published and expire at their times. Queries know without this; it is for those who listen. */
import { nextChangeOf, post } from '../../domain/content/post.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { CoreDeps } from '../core/deps.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';

/** The next change of the state of a post. The job's id is the post's. */
export const postDue = defineJob<object, CoreDeps>('post_due', async ({ id }, { deps, context }) => {
  const { at } = context;
  const { state } = await deps.aggregates.handle(post, id, { type: 'RefreshPost', at }, context);
  const next = state.status === 'open' ? nextChangeOf(state.content, at) : null;
  return next === null ? undefined : { againAt: next };
});

const wait = async (
  { meta, at, streamId: id }: Recorded<EventOf<'PostCreated' | 'PostChanged'>>,
  { deps }: PolicyContext,
): Promise<void> => {
  const { state } = await deps.aggregates.load(post, id);
  // A time that has passed since the event is due at once.
  const next = state.status === 'open' ? nextChangeOf(state.content, at) : null;
  if (next === null) await postDue.cancel(deps.jobs, id);
  else await postDue.schedule(deps.jobs, meta, { id, dueAt: next, data: {} });
};

export const contentPolicy = policy<CoreDeps>('content', {
  PostCreated: wait,
  PostChanged: wait,
  PostDeleted: ({ streamId }, { deps }) => postDue.cancel(deps.jobs, streamId),
});
