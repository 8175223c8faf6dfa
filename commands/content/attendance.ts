/** People say that they come to an event. */
import { attendance } from '../../domain/content/attendance.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { hasCome } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { publishedEvent } from './posts.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

const tell = async (
  { aggregates }: Deps,
  context: CommandContext,
  postId: string,
  type: 'AnnounceAttendance' | 'WithdrawAttendance',
): Promise<void> => {
  const userId = context.actor.id;
  await aggregates.handle(attendance, derivedId('attendance', postId, userId), { type, postId, userId }, context);
};

/** @throws Rejected `not_found` for an event that nobody sees, `invalid_transition` once it is over */
export const announceAttendance = async (deps: Deps, context: CommandContext, postId: string): Promise<void> => {
  const { content } = await publishedEvent(deps, postId, context.at);
  if (content.happening && hasCome(content.happening.endsAt, context.at))
    throw new Rejected('invalid_transition', 'This event is over.', { ends_at: content.happening.endsAt });
  await tell(deps, context, postId, 'AnnounceAttendance');
};

/** Also of an event that nobody sees any more. */
export const withdrawAttendance = (deps: Deps, context: CommandContext, postId: string): Promise<void> =>
  tell(deps, context, postId, 'WithdrawAttendance');
