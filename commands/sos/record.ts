/** What a person in need sends, recorded in the log: at once, or later from the inbox. */
import { type Sos, type SosEvent, type SosReport, sos } from '../../domain/sos/incident.ts';
import { derivedId } from '../../infra/ids.ts';
import { onFreshFacts } from '../core/freshFacts.ts';
import type { Aggregates, CommandContext, Outcome } from '../core/handle.ts';

type Deps = { readonly aggregates: Aggregates };

/**
 * The id of a person's next incident. It follows from the one before, so that it can be named while the log is away, and all
 * devices of the person are told the same one.
 * @param before the newest incident; null: there was none
 */
export const nextIncidentId = (personId: string, before: string | null): string =>
  derivedId(before ?? personId, 'next sos');

/**
 * Records a request for help: a new incident, or an addition to the active one.
 * @param promisedId the id that the person was told while the log was away
 */
export const recordRequest = (
  { aggregates }: Deps,
  context: CommandContext,
  { personId, report, promisedId }: { personId: string; report: SosReport; promisedId?: string },
): Promise<Outcome<Sos, SosEvent>> =>
  onFreshFacts(async (attempt) => {
    const { state } = await aggregates.load(sos, personId);
    const next = nextIncidentId(personId, state?.incidentId ?? null);
    const incidentId = attempt === 0 ? (promisedId ?? next) : next;
    return aggregates.handle(sos, personId, { type: 'RequestSos', incidentId, at: context.at, ...report }, context);
  });

/**
 * Records what a device adds to an incident.
 * @throws Rejected `not_found`, `invalid_transition` when the incident has ended
 */
export const recordReport = (
  { aggregates }: Deps,
  context: CommandContext,
  { personId, incidentId, report }: { personId: string; incidentId: string; report: SosReport },
): Promise<Outcome<Sos, SosEvent>> =>
  aggregates.handle(sos, personId, { type: 'ReportSos', incidentId, ...report }, context);
