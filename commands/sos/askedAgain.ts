/** Tells those on duty that a person still asks for help, although somebody has answered or is on the way. */
import { isActive, sos } from '../../domain/sos/incident.ts';
import { allAdmins } from '../accounts/admins.ts';
import { defineJob } from '../core/jobs.ts';
import type { SosDeps } from './deps.ts';
import { loadDuty, rescuersOnDuty } from './duty.ts';
import { ANSWER_MS, tell, textOf } from './escalation.ts';

/** So often it is tried to reach anybody. */
const ATTEMPTS = 10;

/** Those on duty, otherwise all admins, while the incident of the person is an answered one that has not ended. */
export const rescuersToRemind = async (
  deps: Pick<SosDeps, 'aggregates' | 'pool'>,
  { personId, incidentId, at }: { readonly personId: string; readonly incidentId: string; readonly at: string },
): Promise<string[]> => {
  const { state } = await deps.aggregates.load(sos, personId);
  if (state?.incidentId !== incidentId || state.status === 'new' || !isActive(state)) return [];
  const duty = await rescuersOnDuty(deps, await loadDuty(deps), at);
  return duty.length > 0 ? duty : allAdmins(deps.pool);
};

/** The job's id is the incident's. @throws Error when no message reached anybody, so that it is repeated */
export const sosAgain = defineJob<{ personId: string }, SosDeps>(
  'sos_again',
  async ({ id: incidentId, data: { personId }, attempt }, { deps, context: { at } }) => {
    const rescuers = await rescuersToRemind(deps, { personId, incidentId, at });
    if (rescuers.length === 0) return undefined;
    const send = (people: readonly string[]) =>
      Promise.all(people.map((person) => tell(deps, person, textOf('again'))));
    const told = await send(rescuers);
    if (!told.includes(true)) {
      const others = (await allAdmins(deps.pool)).filter((person) => !rescuers.includes(person));
      told.push(...(await send(others)));
    }
    if (told.includes(true)) return undefined;
    if (attempt < ATTEMPTS) throw new Error('nobody could be told that help is asked for again');
    deps.log.error({ incidentId }, 'nobody could be told by SMS that help is asked for again');
    return undefined;
  },
  { urgentMs: ANSWER_MS },
);
