/** Reports of what others have written, and their answers. */
import { type ReportAction, report, type Subject } from '../../domain/reports/report.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/**
 * Reports something to the admins. Whoever calls has made sure that the person may see it.
 * @returns the id of the report, and whether it is new: the same person's report of it may be open already
 */
export const reportContent = async (
  deps: Deps,
  context: CommandContext,
  reporterId: string,
  { subject, reason }: { readonly subject: Subject; readonly reason: string },
): Promise<{ readonly reportId: string; readonly isNew: boolean }> => {
  const reportId = derivedId('report', reporterId, subject.kind, subject.id);
  const command = { type: 'ReportContent', reporterId, subject, reason } as const;
  const { events } = await deps.aggregates.handle(report, reportId, command, context);
  return { reportId, isNew: events.length > 0 };
};

/** Removes what is reported. Safe to repeat. */
export type Remove = (context: CommandContext) => Promise<unknown>;

/**
 * Answers a report. What it is about is removed first, so that a crash in between leaves the report open.
 * @throws Rejected `not_found`, `invalid_transition` when it was resolved otherwise, and what `remove` throws
 */
export const resolveReport = async (
  deps: Deps,
  context: CommandContext,
  reportId: string,
  { action, remove }: { readonly action: ReportAction; readonly remove: Remove },
): Promise<void> => {
  const command = { type: 'ResolveReport', action } as const;
  const { state } = await deps.aggregates.load(report, reportId);
  report.decide(command, state); // refused before anything is removed
  if (action === 'removed') await remove(followUp(context, 'remove'));
  await deps.aggregates.handle(report, reportId, command, context);
};
