/** For handlers whose reply is read from the read models after a command. */
import type { CommandContext } from '../../commands/core/handle.ts';
import type { Position } from '../../domain/core/decider.ts';
import { laterOf } from '../../eventstore/subscribe.ts';
import type { App } from './app.ts';
import { HttpError } from './errors.ts';
import { type WithStatus, withStatus } from './route.ts';

/** How long the handler waits. What it reads then may be older; the reply says so (`x-projected`). */
const WITHIN_MS = 2_000;

/**
 * Runs a command, and waits until these read models show what it wrote.
 * @param isRead whether the reply to what the command returns is read from them; otherwise nobody waits here
 */
export const shownAfter = async <T>(
  app: Pick<App, 'positions'>,
  context: CommandContext,
  models: readonly { readonly name: string }[],
  work: (context: CommandContext) => Promise<T>,
  isRead: (done: T) => boolean = () => true,
): Promise<T> => {
  let last: Position | null = null;
  const onSettled = (position: Position) => {
    last = laterOf(last, position);
    context.onSettled?.(position);
  };
  const done = await work({ ...context, onSettled });
  if (last && isRead(done)) await app.positions.reached(last, WITHIN_MS, models);
  return done;
};

/** For `shownAfter`: of what was made, the reply is made of the event; what was made before (null) is read. */
export const madeBefore = (made: object | null): boolean => made === null;

/**
 * The reply to a repeated request: what it made the first time.
 * @param found undefined: no read model shows it yet
 * @param made what was made, as a sentence without its end: `This message was sent`
 * @throws HttpError `unavailable`
 */
export const shownAgain = <T>(found: T | undefined, made: string): WithStatus<200, T> => {
  if (found === undefined) throw new HttpError('unavailable', `${made}, but cannot be shown yet. Try again shortly.`);
  return withStatus(200, found);
};
