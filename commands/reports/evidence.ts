/** What those who judge keep of what was reported or removed, until everything about it was answered, and some time longer. */
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { evidenceUntil } from '../../domain/files/evidence.ts';
import { evidence } from '../../domain/reports/evidence.ts';
import { appealedAs, type Report, report, type Subject } from '../../domain/reports/report.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import type { AppealsPort } from './appealables.ts';
import { hasOpenAppeal } from './appeals.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

export const evidenceId = ({ kind, id }: Pick<Subject, 'kind' | 'id'>): string => derivedId('evidence', kind, id);

/** Keeps a copy of what something says. Safe to repeat. @param reportId null: a moderator has removed it */
export const keepEvidence = async (
  deps: Deps,
  context: CommandContext,
  kept: { readonly subject: Subject; readonly authorId: string; readonly reportId: string | null },
  text: string | null,
): Promise<void> => {
  const command = { type: 'KeepEvidence', ...kept, text } as const;
  await deps.aggregates.handle(evidence, evidenceId(kept.subject), command, followUp(context, 'evidence'));
};

/** Whether what was kept of this has ended: what its module had kept is gone. */
export const hasEnded = async ({ aggregates }: Deps, subject: Pick<Subject, 'kind' | 'id'>): Promise<boolean> =>
  (await aggregates.load(evidence, evidenceId(subject))).state.status === 'ended';

/** Whether an appeal about this waits for its answer. A name is appealed as that of its account. */
const isAppealed = async (
  deps: Deps & AppealsPort,
  { subject, authorId }: { readonly subject: Subject; readonly authorId: string },
  at: string,
): Promise<boolean> => {
  const kind = appealedAs(subject.kind);
  if (kind === undefined) return false;
  for (const id of [subject.id, authorId]) {
    const stands = await deps.appealables[kind].standing(deps, id, at);
    if (stands && (await hasOpenAppeal(deps, { kind, id, number: stands.number }))) return true;
  }
  return false;
};

/** Ends what was kept, once no report and no appeal about it waits for an answer. The job's id is that of the stream. */
export const evidenceEnd = defineJob<object, CoreDeps & AppealsPort>(
  'evidence_end',
  async ({ id }, { deps, context }) => {
    const { state } = await deps.aggregates.load(evidence, id);
    if (state.status !== 'kept') return undefined;
    if (state.open.length > 0) return undefined; // its answer sets the job again
    if (await isAppealed(deps, state, context.at)) return { againAt: addMs(context.at, DAY_MS) };
    await deps.aggregates.handle(evidence, id, { type: 'EndEvidence' }, context);
    return undefined;
  },
);

const endLater = (deps: CoreDeps, context: CommandContext, id: string, at: string): Promise<void> =>
  evidenceEnd.schedule(deps.jobs, context, { id, dueAt: evidenceUntil(at), data: {} });

/** A report was answered. @param at when, RFC 3339 */
export const settleEvidence = async (
  deps: CoreDeps,
  context: CommandContext,
  reportId: string,
  at: string,
): Promise<void> => {
  const state: Report = (await deps.aggregates.load(report, reportId)).state;
  if (state.status !== 'resolved') return;
  const id = evidenceId(state.subject);
  const { state: after } = await deps.aggregates.handle(evidence, id, { type: 'SettleEvidence', reportId }, context);
  if (after.status === 'kept') await endLater(deps, context, id, at);
};

/** A moderator has removed something: its module keeps it for the time in which its author can appeal. */
export const keepRemoved = async (
  deps: CoreDeps,
  context: CommandContext,
  kept: { readonly subject: Subject; readonly authorId: string },
  at: string,
): Promise<void> => {
  await keepEvidence(deps, context, { ...kept, reportId: null }, null);
  await endLater(deps, context, evidenceId(kept.subject), at);
};
