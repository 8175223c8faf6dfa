/** Days that devices have counted themselves, and targets. */
import { todayIn } from '../../domain/core/dates.ts';
import { reportedDay } from '../../domain/tracking/reportedDay.ts';
import type { DayTotals } from '../../domain/tracking/summary.ts';
import { type Target, trackingTargets } from '../../domain/tracking/target.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandContext } from '../core/handle.ts';
import { timezoneNow } from '../platform/timezone.ts';
import type { TrackingDeps } from './deps.ts';

type Deps = Pick<TrackingDeps, 'aggregates'>;

/** @param day of the resort, `YYYY-MM-DD` @throws Rejected `invalid` for a day in the future or too long ago */
export const reportDay = async (
  { aggregates }: Deps,
  context: CommandContext,
  accountId: string,
  { day, totals }: { readonly day: string; readonly totals: DayTotals },
): Promise<void> => {
  const today = todayIn(await timezoneNow({ aggregates }), context.at);
  const id = derivedId('reportedDay', accountId, day);
  await aggregates.handle(reportedDay, id, { type: 'ReportDay', accountId, day, today, totals }, context);
};

/** Sets the target of a metric and a period, or changes its value. @returns its id */
export const setTarget = async (
  { aggregates }: Deps,
  context: CommandContext,
  accountId: string,
  target: Target,
): Promise<string> => {
  const targetId = derivedId('trackingTarget', accountId, target.metric, target.period);
  await aggregates.handle(trackingTargets, accountId, { type: 'SetTarget', targetId, ...target }, context);
  return targetId;
};

/** @throws Rejected `not_found` */
export const removeTarget = async (
  { aggregates }: Deps,
  context: CommandContext,
  accountId: string,
  targetId: string,
): Promise<void> => {
  await aggregates.handle(trackingTargets, accountId, { type: 'RemoveTarget', targetId }, context);
};
