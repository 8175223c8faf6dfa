/** Tells rescuers of a request, and keeps who the admins are. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { keepAdmin } from './admins.ts';
import type { SosDeps } from './deps.ts';
import { sosEscalation } from './escalation.ts';

const keep: PolicyHandler<Recorded<EventOf<'AccountOpened' | 'RoleGranted' | 'PersonErased'>>, SosDeps> = async (
  { streamId },
  { deps },
) => keepAdmin(deps, streamId);

export const sosPolicy = policy<SosDeps>('sos', {
  SosRequested: async ({ data, streamId: personId, at, meta }, { deps }) =>
    sosEscalation.scheduleOnce(deps.jobs, meta, { id: data.incidentId, dueAt: at, data: { personId } }),
  AccountOpened: async (event, ctx) => (event.data.role === 'admin' ? keep(event, ctx) : undefined),
  RoleGranted: keep,
  PersonErased: keep,
});
