/** Queues at lifts, as people and machines report them. */
import { requireExisting } from '../../domain/core/decider.ts';
import { lift } from '../../domain/resort/lift.ts';
import { liftQueue, type QueueReports, type QueueSource } from '../../domain/resort/queue.ts';
import type { CommandContext } from '../core/handle.ts';
import type { ResortDeps } from './deps.ts';

type Deps = Pick<ResortDeps, 'aggregates'>;

export interface QueueMeasured {
  readonly people: number | null;
  readonly minutes: number | null;
  readonly measuredAt: string;
  /** At least this many people. */
  readonly isAtLeast?: true | undefined;
}

/**
 * Reports the queue at a lift.
 * @param measured null withdraws the report of this source
 * @throws Rejected `not_found`, `invalid` for both people and minutes or neither
 */
export const reportQueue = async (
  { aggregates }: Deps,
  context: CommandContext,
  liftId: string,
  source: QueueSource,
  measured: QueueMeasured | null,
): Promise<QueueReports> => {
  const { state } = await aggregates.load(lift, liftId);
  requireExisting(state, 'lift');
  const command =
    measured === null
      ? ({ type: 'WithdrawQueueReport', source } as const)
      : ({ type: 'ReportQueue', source, ...measured } as const);
  return (await aggregates.handle(liftQueue, liftId, command, context)).state;
};
