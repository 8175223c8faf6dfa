/** People in need: what they ask for, and what rescuers do about it. */
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { DAY_S } from '../../domain/core/instants.ts';
import { type Sos, type SosReport, type SosStep, sos } from '../../domain/sos/incident.ts';
import { derivedId } from '../../infra/ids.ts';
import { withTimeout } from '../../infra/retry.ts';
import { scaled } from '../../infra/scaled.ts';
import { countOrRefuse } from '../accounts/counters.ts';
import type { CommandContext } from '../core/handle.ts';
import type { SosDeps } from './deps.ts';
import { keepRequest } from './inbox.ts';

type Deps = Pick<SosDeps, 'aggregates' | 'pool' | 'vault' | 'jobs' | 'log'>;
export type Incident = NonNullable<Sos>;

/** The log has this long to take a request, in milliseconds: then it is kept elsewhere, and the person told to call. */
const PATIENCE_MS = 3_000;

const known = (state: Sos): Incident => {
  if (state === null) throw notFound('SOS request');
  return state;
};

/**
 * Asks for help. A person who has an active incident adds to it, and rescuers who were not told lately are told again.
 * @param rescuePhone whom to call when the request is not recorded
 * @returns the incident, and whether this request began it
 * @throws Rejected `sos_delayed` when the request is kept and was not recorded yet, `sos_failed` when it is not even kept
 */
export const requestSos = async (
  deps: Deps,
  context: CommandContext,
  personId: string,
  report: SosReport,
  rescuePhone: string,
): Promise<{ readonly incident: Incident; readonly isNew: boolean }> => {
  const incidentId = derivedId(context.commandId, 'sos');
  try {
    const command = { type: 'RequestSos', incidentId, at: context.at, ...report } as const;
    const asked = deps.aggregates.handle(sos, personId, command, context);
    const { state } = await withTimeout(asked, PATIENCE_MS, 'the log did not take an SOS request in time');
    return { incident: known(state), isNew: state?.incidentId === incidentId };
  } catch (err) {
    deps.log.error({ err, incidentId }, 'an SOS request could not be recorded');
    const call = `Call the rescue service now: ${rescuePhone}.`;
    await keepRequest(deps, context, { incidentId, personId, report }).catch((cause: unknown) => {
      deps.log.error({ err: cause, incidentId }, 'an SOS request could not be kept');
      throw new Rejected('sos_failed', `Your request could not be recorded. ${call}`, { retry_after_s: 5 });
    });
    throw new Rejected('sos_delayed', `Your request is kept, but rescuers do not see it yet. ${call}`, {
      incident_id: incidentId,
    });
  }
};

/** Adds positions. @throws Rejected `not_found`, `invalid_transition` when the incident has ended */
export const reportSos = async (
  deps: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  { personId, incidentId, report }: { personId: string; incidentId: string; report: SosReport },
): Promise<Incident> => {
  const command = { type: 'ReportSos', incidentId, ...report } as const;
  return known((await deps.aggregates.handle(sos, personId, command, context)).state);
};

/** What a rescuer does, or the person who gives the all-clear. @throws Rejected `not_found`, `invalid_transition` */
export const stepSos = async (
  deps: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  { personId, incidentId, step }: { personId: string; incidentId: string; step: SosStep },
): Promise<Incident> => {
  const command = { type: step, incidentId, at: context.at } as const;
  return known((await deps.aggregates.handle(sos, personId, command, context)).state);
};

/** False alarms of one person in a day, multiplied by `RATE_LIMITS`. */
export const FALSE_ALARMS = 10;

/**
 * Ends the incident of this person as a false alarm. Requests are never limited, but each one after a false alarm tells
 * the rescuers anew: a person who has given too many leaves the incident open, and further requests add to it, which
 * tells them every few minutes at most.
 * @throws Rejected `not_found`, `invalid_transition`, `too_many_attempts`
 */
export const giveAllClear = async (
  deps: Pick<SosDeps, 'aggregates' | 'pool' | 'vault' | 'settings'>,
  context: CommandContext,
  of: { readonly personId: string; readonly incidentId: string },
): Promise<Incident> => {
  const command = { type: 'FindFalseAlarm', incidentId: of.incidentId, at: context.at } as const;
  const { state } = await deps.aggregates.load(sos, of.personId);
  if (sos.decide(command, state).length > 0) {
    const max = scaled(FALSE_ALARMS, deps.settings.rateLimits);
    const counter = { key: deps.vault.fingerprint('sos', of.personId), max, seconds: DAY_S };
    const tooMany = () => 'You have given too many false alarms. The rescuers end this one.';
    await countOrRefuse(deps.pool, [counter], context.at, tooMany);
  }
  return stepSos(deps, context, { ...of, step: 'FindFalseAlarm' });
};
