/** What was appealed with success is undone, also when the process that answered ends before. */
import { appeal } from '../../domain/reports/appeal.ts';
import type { CoreDeps } from '../core/deps.ts';
import { policy } from '../core/policy.ts';
import type { AppealsPort } from './appealable.ts';
import { undoDecision } from './appeals.ts';

export const appealPolicy = policy<CoreDeps & AppealsPort>('appeals', {
  ForumAppealAnswered: async ({ streamId, data: { accepted } }, { deps, context }) => {
    const { state } = await deps.aggregates.load(appeal, streamId);
    if (accepted && state.status === 'answered') await undoDecision(deps, context, state.decision);
  },
});
