/** Reports of what others have written, and their answers. */

import { Rejected } from '../../domain/core/decider.ts';
import { SaidOtherwise } from '../../domain/core/saidBefore.ts';
import { type ReportAction, type ReportKind, report, type Subject } from '../../domain/reports/report.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import { keepEvidence } from './evidence.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** What is reported, and who has written it; null: nobody in particular. */
export interface Reported {
  readonly subject: Subject & { readonly kind: ReportKind };
  readonly authorId: string | null;
  /** What it says, of which those who judge keep a copy; null: nothing that can be copied. */
  readonly text: string | null;
}

/**
 * Reports something to the admins. Whoever calls has made sure that the person may see it.
 * @throws Rejected `invalid` for what the person has written
 * @returns the id of the report, and whether it is new: the same person's report of it may be open already
 */
export const reportContent = async (
  deps: Deps,
  context: CommandContext,
  reporterId: string,
  { subject, authorId, text, reason }: Reported & { readonly reason: string },
): Promise<{ readonly reportId: string; readonly isNew: boolean }> => {
  if (authorId === reporterId)
    throw new Rejected('invalid', 'This is your own. Change or delete it instead of reporting it.', {
      fields: ['id', 'name_id', 'thread_id'],
    });
  const reportId = derivedId('report', reporterId, subject.kind, subject.id);
  const command = { type: 'ReportContent', reporterId, subject, reason } as const;
  const { events } = await deps.aggregates.handle(report, reportId, command, context);
  if (authorId !== null) await keepEvidence(deps, context, { subject, authorId, reportId }, text);
  return { reportId, isNew: events.length > 0 };
};

/** Resolving takes two round trips to the event store. */
const AT_ONCE = 8;

/** Closes reports of what was removed. Safe to repeat. A report that was answered meanwhile stays as it is. */
export const closeReports = (deps: Deps, context: CommandContext, reportIds: readonly string[]): Promise<void> =>
  concurrentEach(reportIds, AT_ONCE, async (reportId) => {
    const command = { type: 'ResolveReport', action: 'removed' } as const;
    const own = followUp(context, `close ${reportId}`);
    await unlessRejected(() => deps.aggregates.handle(report, reportId, command, own), 'invalid_transition');
  });

/** Removes what is reported. Safe to repeat. */
export type Remove = (context: CommandContext) => Promise<unknown>;

/**
 * Answers a report. What it is about is removed first, and other reports of it are closed, so that a crash in between
 * leaves the report open.
 * @throws Rejected `not_found`, `invalid_transition` when it was resolved otherwise, and what `remove` throws
 */
export const resolveReport = async (
  deps: Deps,
  context: CommandContext,
  reportId: string,
  {
    action,
    remove,
    others,
  }: {
    readonly action: ReportAction;
    readonly remove: Remove;
    /** The ids of other open reports of the same. */
    readonly others: readonly string[];
  },
): Promise<void> => {
  const command = { type: 'ResolveReport', action } as const;
  const { state } = await deps.aggregates.load(report, reportId);
  report.decide(command, state); // refused before anything is removed
  if (action === 'removed') {
    await remove(followUp(context, 'remove')).catch((error: unknown) => {
      // Somebody has removed it for another reason. This report is answered all the same, unless it was before.
      if (!(error instanceof SaidOtherwise) || state.status !== 'open') throw error;
    });
    await closeReports(deps, context, others);
  }
  await deps.aggregates.handle(report, reportId, command, context);
};
