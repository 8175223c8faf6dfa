/** Tells rescuers of a request, and of one that is repeated. */
import { sos } from '../../domain/sos/incident.ts';
import { policy } from '../core/policy.ts';
import { sosAgain } from './askedAgain.ts';
import type { SosDeps } from './deps.ts';
import { loadDuty, rescuersOnDuty } from './duty.ts';
import { sosEscalation } from './escalation.ts';

export const sosPolicy = policy<SosDeps>('sos', {
  SosRequested: async ({ data, streamId: personId, at, meta }, { deps }) =>
    sosEscalation.scheduleOnce(deps.jobs, meta, { id: data.incidentId, dueAt: at, data: { personId } }),
  SosRequestedAgain: async ({ data: { incidentId }, streamId: personId, at, meta }, { deps, context }) => {
    const { state } = await deps.aggregates.load(sos, personId);
    if (state?.incidentId !== incidentId) return;
    if (state.status !== 'new') {
      await sosAgain.scheduleOnce(deps.jobs, meta, { id: incidentId, dueAt: at, data: { personId } });
      return;
    }
    const duty = await rescuersOnDuty(deps, await loadDuty(deps), context.at);
    // Those on duty are told every minute: that is soon.
    if (state.level > duty.length) await sosEscalation.runNow(deps.jobs, incidentId);
  },
});
