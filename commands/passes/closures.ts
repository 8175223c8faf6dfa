/** Days that the closed mountain gives back. */
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { type ClosedDate, passClosures } from '../../domain/passes/closures.ts';
import type { CoreDeps } from '../core/deps.ts';
import { dryRun } from '../core/dryRun.ts';
import { type CommandContext, FOR_QUOTE } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** The closed dates, as of a second ago at the latest. A pass that is judged without the newest one is judged too strictly. */
export const closedDates = async ({ aggregates }: Deps): Promise<readonly ClosedDate[]> =>
  (await aggregates.load(passClosures, ONLY_ONE, FOR_QUOTE)).state.closed;

/** `YYYY-MM-DD`, both included. */
export interface Closure {
  readonly from: string;
  readonly to: string;
}

/**
 * Gives the dates back to every pass that was sold before and is valid on them: it is valid that many days longer, and
 * rides on these dates were free. It cannot be undone. Repeated, it gives nothing twice.
 * @returns the dates that were given back now
 * @throws Rejected `invalid`, `conflict`
 */
export const giveDaysBack = async (
  { aggregates }: Deps,
  context: CommandContext,
  { reason, ...closure }: Closure & { readonly reason: string },
): Promise<readonly string[]> => {
  const command = { type: 'GiveDaysBack', ...closure, reason, at: context.at } as const;
  const { events } = await aggregates.handle(passClosures, ONLY_ONE, command, context);
  return events.flatMap(({ data }) => data.dates);
};

/** The dates that would be given back. @throws as `giveDaysBack` */
export const previewClosure: typeof giveDaysBack = (deps, ...asked) => giveDaysBack(dryRun(deps), ...asked);
