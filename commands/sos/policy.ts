/** Tells rescuers of a request. */
import { policy } from '../core/policy.ts';
import type { SosDeps } from './deps.ts';
import { sosEscalation } from './escalation.ts';

export const sosPolicy = policy<SosDeps>('sos', {
  SosRequested: async ({ data, streamId: personId, at, meta }, { deps }) =>
    sosEscalation.scheduleOnce(deps.jobs, meta, { id: data.incidentId, dueAt: at, data: { personId } }),
});
