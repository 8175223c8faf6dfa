/** People in need: what they ask for, and what rescuers do about it. */
import { changedNothing, notFound, Rejected } from '../../domain/core/decider.ts';
import { DAY_S, HOUR_MS } from '../../domain/core/instants.ts';
import { type Sos, type SosReport, type SosStep, sos } from '../../domain/sos/incident.ts';
import { leftOf, withDeadline } from '../../infra/deadline.ts';
import { derivedId } from '../../infra/ids.ts';
import { createBackoff, sleep, withTimeout } from '../../infra/retry.ts';
import { scaled } from '../../infra/scaled.ts';
import { isStoreAway } from '../../infra/storeFaults.ts';
import { countOrRefuse } from '../accounts/counters.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { SosDeps } from './deps.ts';
import { keepRequest } from './inbox.ts';

type Deps = Pick<SosDeps, 'aggregates' | 'pool' | 'vault' | 'jobs' | 'log'>;
export type Incident = NonNullable<Sos>;

/**
 * The log has at least this long to take a request, in milliseconds, whatever took time before. Then it is kept elsewhere, and
 * the person told to call.
 */
const PATIENCE_MS = 500;
/** And at most this long, where nothing took time before. */
const LONGEST_MS = 1_500;
/** To keep it elsewhere. */
const KEPT_WITHIN_MS = 1_000;

const known = (state: Sos): Incident => {
  if (state === null) throw notFound('SOS request');
  return state;
};

const nothingPersonal: SosReport = { positions: [], battery: null, message: null };

/** Whether the person's key is at hand, without which nothing personal can be recorded. */
const hasKey = async ({ vault }: Pick<Deps, 'vault'>, personId: string): Promise<boolean> => {
  try {
    await vault.keyToWrite(personId);
    return true;
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    return false;
  }
};

/** Whether what is recorded now reaches the rescuers: the database tells them. */
const reachesRescuers = ({ pool }: Pick<Deps, 'pool'>): Promise<boolean> =>
  pool.query('select 1').then(
    () => true,
    () => false,
  );

/** A connection that was lost meanwhile is replaced at once: only a database that is known to be away fails twice. */
const keptAtSecond = (keep: () => Promise<void>): Promise<void> =>
  keep().catch((error: unknown) => {
    if (!isStoreAway(error)) throw error;
    return keep();
  });

/**
 * Asks for help. A person who has an active incident adds to it, and rescuers who were not told lately are told again.
 * While the database is away, it is recorded in the log; what is personal in it follows once the person's key can be had.
 * @param rescuePhone whom to call when rescuers do not see the request yet
 * @returns the incident, and whether this request began it
 * @throws Rejected `sos_delayed` when the request is kept and rescuers do not see it yet, `sos_failed` when it is not even kept
 */
export const requestSos = async (
  deps: Deps,
  context: CommandContext,
  personId: string,
  report: SosReport,
  rescuePhone: string,
): Promise<{ readonly incident: Incident; readonly isNew: boolean }> => {
  const incidentId = derivedId(context.commandId, 'sos');
  const call = `Call the rescue service now: ${rescuePhone}.`;
  const [reaches, isWhole] = await Promise.all([reachesRescuers(deps), hasKey(deps, personId)]);
  const record = async () => {
    const said = isWhole ? report : nothingPersonal;
    const command = { type: 'RequestSos', incidentId, at: context.at, ...said } as const;
    const asked = deps.aggregates.handle(sos, personId, command, context);
    const limitMs = Math.max(PATIENCE_MS, leftOf(LONGEST_MS));
    return known((await withTimeout(asked, limitMs, 'the log did not take an SOS request in time')).state);
  };
  const delayed = (id: string) =>
    new Rejected('sos_delayed', `Your request is kept, but rescuers do not see it yet. ${call}`, { incident_id: id });
  let incident: Incident;
  try {
    incident = await record();
  } catch (err) {
    deps.log.error({ err, incidentId }, 'an SOS request could not be recorded');
    const keep = () => keepRequest(deps, context, { incidentId, personId, report });
    await keptAtSecond(() => withDeadline(KEPT_WITHIN_MS, keep)).catch((cause: unknown) => {
      deps.log.error({ err: cause, incidentId }, 'an SOS request could not be kept');
      throw new Rejected('sos_failed', `Your request could not be recorded. ${call}`, { retry_after_s: 5 });
    });
    throw delayed(incidentId);
  }
  if (!isWhole) addLater(deps, context, { personId, incidentId: incident.incidentId, report });
  if (!reaches) throw delayed(incident.incidentId);
  return { incident, isNew: incident.incidentId === incidentId };
};

/** Reports that wait in memory, of as many people; more are recorded without what is personal. */
const MOST_WAITING = 1_000;
const GIVE_UP_MS = HOUR_MS;
let waiting = 0;

/**
 * Adds what was personal in a request once the person's key can be had. It is in memory until then: the device sends its
 * position again, but perhaps not the message.
 */
const addLater = (deps: Deps, context: CommandContext, of: Parameters<typeof reportSos>[2]): void => {
  const { positions, battery, message } = of.report;
  if (waiting >= MOST_WAITING || (positions.length === 0 && battery === null && message === null)) return;
  const until = performance.now() + GIVE_UP_MS;
  const tryUntilTaken = async (): Promise<void> => {
    for (const backoff = createBackoff(500); performance.now() < until; ) {
      await sleep(backoff.next());
      try {
        await reportSos(deps, followUp(context, 'what was personal'), of);
        return;
      } catch (error) {
        if (changedNothing(error)) return; // it has ended
        if (!isStoreAway(error)) throw error;
      }
    }
  };
  waiting += 1;
  tryUntilTaken()
    .catch((err: unknown) =>
      deps.log.error({ err, incidentId: of.incidentId }, 'an SOS request stays without its position'),
    )
    .finally(() => {
      waiting -= 1;
    });
};

/**
 * Adds positions. Without the person's key nothing would be left of them, so that they are refused.
 * @throws Rejected `not_found`, `invalid_transition` when the incident has ended
 */
export const reportSos = async (
  deps: Pick<Deps, 'aggregates' | 'vault'>,
  context: CommandContext,
  { personId, incidentId, report }: { personId: string; incidentId: string; report: SosReport },
): Promise<Incident> => {
  await deps.vault.keyToWrite(personId);
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
