/**
 * What was appealed with success is undone, also when the process that answered ends before. What was kept for those who
 * judge ends some time after the last answer.
 */
import { appeal } from '../../domain/reports/appeal.ts';
import type { CoreDeps } from '../core/deps.ts';
import { policy } from '../core/policy.ts';
import type { AppealsPort } from './appealables.ts';
import { undoDecision } from './appeals.ts';
import { settleEvidence } from './evidence.ts';

export const appealPolicy = policy<CoreDeps & AppealsPort>('appeals', {
  ReportResolved: ({ streamId, at }, { deps, context }) => settleEvidence(deps, context, streamId, at),
  ForumAppealAnswered: async ({ streamId, data: { accepted } }, { deps, context }) => {
    const { state } = await deps.aggregates.load(appeal, streamId);
    if (accepted && state.status === 'answered') await undoDecision(deps, context, state.decision);
  },
});
