/** People in need: what they ask for, and what rescuers do about it. */
import { changedNothing, existing, Rejected } from '../../domain/core/decider.ts';
import { DAY_S, HOUR_MS } from '../../domain/core/instants.ts';
import {
  isActive,
  type Sos,
  type SosEvent,
  type SosReport,
  type SosStatus,
  type SosStep,
  sos,
} from '../../domain/sos/incident.ts';
import { leftOf, withDeadline } from '../../infra/deadline.ts';
import { createBackoff, sleep, withTimeout } from '../../infra/retry.ts';
import { scaled } from '../../infra/scaled.ts';
import { isStoreAway } from '../../infra/storeFaults.ts';
import { countOrRefuse } from '../accounts/counters.ts';
import { type CommandContext, followUp, type Outcome } from '../core/handle.ts';
import type { SosDeps } from './deps.ts';
import { keepForLater, promisedIncident } from './inbox.ts';
import { nextIncidentId, recordReport, recordRequest } from './record.ts';

type Deps = Pick<SosDeps, 'aggregates' | 'pool' | 'vault' | 'jobs' | 'log'>;
export type Incident = NonNullable<Sos>;

/** What the stores have for what a person in need sends, in milliseconds. */
export const SOS_LIMITS = {
  /** For the log to take it, where nothing took time before. Then it is kept elsewhere, and the person told to call. */
  logMs: 1_500,
  /** The log has this long whatever took time before. */
  leastLogMs: 500,
  /** To keep it elsewhere, or for the log to take it after all: as often as it can be tried. */
  keepMs: 3_000,
  /** For each of these attempts, so that a connection that was lost is replaced in time. */
  attemptMs: 1_000,
};
type Limits = typeof SOS_LIMITS;

/** The newest incident of a person, as the database shows it; null: there was none. */
export type ShownIncident = { readonly id: string; readonly status: SosStatus } | null;

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

const inTime = <T>(recorded: Promise<T>, { logMs, leastLogMs }: Limits): Promise<T> =>
  withTimeout(recorded, Math.max(leastLogMs, leftOf(logMs)), 'the log did not take what was sent for an SOS in time');

/** Repeats what a store is asked for until it has answered, the time is over, or `signal` says that it is needed no more. */
const asOftenAsPossible = async <T>(
  { keepMs, attemptMs }: Limits,
  attempt: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => {
  const until = performance.now() + keepMs;
  for (const backoff = createBackoff(50, 500); ; ) {
    const left = Math.max(0, until - performance.now());
    try {
      return await withTimeout(
        withDeadline(Math.min(attemptMs, left), attempt),
        left,
        'a store did not answer in time',
      );
    } catch (error) {
      if (!isStoreAway(error) || performance.now() >= until || signal?.aborted) throw error;
    }
    await sleep(backoff.next(), ...(signal ? [signal] : []));
  }
};

/** The id of the incident that a request adds to or begins, as far as the database knows. */
const incidentToPromise = async (deps: Deps, personId: string, shown: ShownIncident): Promise<string> => {
  const promised = await promisedIncident(deps, personId);
  if (promised !== undefined) return promised;
  return shown && isActive(shown) ? shown.id : nextIncidentId(personId, shown?.id ?? null);
};

/**
 * Asks for help. A person who has an active incident adds to it, and rescuers who were not told lately are told again.
 * While the log is away, it is kept in the database, and the person is told the id that the incident will have. While the
 * database is away, it is recorded in the log; what is personal in it follows once the person's key can be had.
 * @param shownIncident reads the newest incident of the person from the database
 * @param rescuePhone whom to call when rescuers do not see the request yet
 * @returns the incident, and whether this request began it
 * @throws Rejected `sos_delayed` when the request is kept and rescuers do not see it yet, `sos_failed` when it is not even kept
 */
export const requestSos = async (
  deps: Deps,
  context: CommandContext,
  {
    personId,
    report,
    shownIncident,
    rescuePhone,
  }: {
    readonly personId: string;
    readonly report: SosReport;
    readonly shownIncident: () => Promise<ShownIncident>;
    readonly rescuePhone: string;
  },
  limits: Limits = SOS_LIMITS,
): Promise<{ readonly incident: Incident; readonly isNew: boolean }> => {
  const call = `Call the rescue service now: ${rescuePhone}.`;
  const known = shownIncident().then((shown) => incidentToPromise(deps, personId, shown));
  // Rescuers see what the database has: while it is away, what is recorded now does not reach them.
  const [promisedId, isWhole] = await Promise.all([known.catch(() => undefined), hasKey(deps, personId)]);
  const delayed = (id: string) =>
    new Rejected('sos_delayed', `Your request is kept, but rescuers do not see it yet. ${call}`, { incident_id: id });
  const record = () => recordRequest(deps, context, { personId, report: isWhole ? report : nothingPersonal });
  const recording = record();
  let recorded: Outcome<Sos, SosEvent> | undefined;
  try {
    recorded = await inTime(recording, limits);
  } catch (err) {
    const incidentId = promisedId ?? nextIncidentId(personId, null);
    deps.log.error({ err, incidentId }, 'an SOS request could not be recorded in time');
    const keep = () => keepForLater(deps, context, { incidentId, personId, report });
    const settled = new AbortController();
    const kept = asOftenAsPossible(limits, keep, settled.signal).then(() => undefined);
    // On a busy machine both are slow: the log may take it after all.
    const begun = [recording];
    const late = asOftenAsPossible(limits, () => begun.pop() ?? record(), settled.signal);
    recorded = await Promise.any([kept, late])
      .finally(() => settled.abort())
      .catch((cause: unknown) => {
        deps.log.error({ err: cause, incidentId }, 'an SOS request could not be kept');
        throw new Rejected('sos_failed', `Your request could not be recorded. ${call}`, { retry_after_s: 5 });
      });
    if (recorded === undefined) throw delayed(incidentId);
  }
  const incident = existing(recorded.state, 'SOS request');
  if (!isWhole) addLater(deps, context, { personId, incidentId: incident.incidentId, report });
  if (promisedId === undefined) throw delayed(incident.incidentId);
  return { incident, isNew: recorded.events.some(({ type }) => type === 'SosRequested') };
};

/** Reports that wait in memory, of as many people; more are recorded without what is personal. */
const MOST_WAITING = 1_000;
const GIVE_UP_MS = HOUR_MS;
let waiting = 0;

/**
 * Adds what was personal in a request once the person's key can be had. It is in memory until then: the device sends its
 * position again, but perhaps not the message.
 */
const addLater = (deps: Deps, context: CommandContext, of: Addition): void => {
  const { positions, battery, message } = of.report;
  if (waiting >= MOST_WAITING || (positions.length === 0 && battery === null && message === null)) return;
  const until = performance.now() + GIVE_UP_MS;
  const tryUntilTaken = async (): Promise<void> => {
    for (const backoff = createBackoff(500); performance.now() < until; ) {
      await sleep(backoff.next());
      try {
        await deps.vault.keyToWrite(of.personId);
        await recordReport(deps, followUp(context, 'what was personal'), of);
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

interface Addition {
  readonly personId: string;
  readonly incidentId: string;
  readonly report: SosReport;
}

/**
 * Adds positions. While the log is away, or the request that they follow is not recorded yet, they are kept in the database.
 * Without the person's key nothing would be left of them, so that they are refused.
 * @returns the incident; undefined: they are kept, and recorded later
 * @throws Rejected `not_found`, `invalid_transition` when the incident has ended
 */
export const reportSos = async (
  deps: Deps,
  context: CommandContext,
  addition: Addition,
  limits: Limits = SOS_LIMITS,
): Promise<Incident | undefined> => {
  await deps.vault.keyToWrite(addition.personId);
  try {
    return existing((await inTime(recordReport(deps, context, addition), limits)).state, 'SOS request');
  } catch (error) {
    const isAwaited = async () => (await promisedIncident(deps, addition.personId)) !== undefined;
    if (error instanceof Rejected && !(await isAwaited())) throw error;
    const keep = () => keepForLater(deps, context, { ...addition, isAddition: true });
    await asOftenAsPossible(limits, keep);
    return undefined;
  }
};

/** What a rescuer does, or the person who gives the all-clear. @throws Rejected `not_found`, `invalid_transition` */
export const stepSos = async (
  deps: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  { personId, incidentId, step }: { personId: string; incidentId: string; step: SosStep },
): Promise<Incident> => {
  const command = { type: step, incidentId, at: context.at } as const;
  return existing((await deps.aggregates.handle(sos, personId, command, context)).state, 'SOS request');
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
