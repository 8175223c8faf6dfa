/** Takes events of apps: those that can be used and that the person consents to, one by one. */
import { correctedTime, type eventKinds, refusalOf } from '../../domain/analytics/event.ts';
import { todayIn } from '../../domain/core/dates.ts';
import type { AnalyticsDeps } from './deps.ts';
import type { RecordedEvent } from './store.ts';

/** An event as an app sends it. Its shape was checked. */
export interface SentEvent {
  /** Its place in the request. */
  readonly index: number;
  readonly eventId: string;
  readonly sessionId: string;
  readonly kind: (typeof eventKinds)[number];
  readonly name: string;
  readonly occurredAt: string;
  readonly properties: object;
}

export interface Sender {
  readonly accountId: string;
  /** By the clock of the device; null: not said. */
  readonly sentAt: string | null;
  readonly receivedAt: string;
}

export interface Recorded {
  readonly accepted: number;
  /** Events that were there before, or came twice in the request. */
  readonly duplicates: number;
  readonly rejected: { readonly index: number; readonly detail: string }[];
}

const NO_CONSENT = 'The account has not consented to analytics.';

type Deps = Pick<AnalyticsDeps, 'analytics' | 'mayAnalyse' | 'settings'>;

/** @throws RangeError for a time that is none: the caller has checked it */
const recordable = ({ settings }: Deps, { accountId, sentAt, receivedAt }: Sender, event: SentEvent) => {
  const properties = JSON.stringify(event.properties);
  const detail = refusalOf({ ...event, propertiesBytes: Buffer.byteLength(properties) }, receivedAt);
  if (detail !== undefined) return detail;
  const at = new Date(correctedTime(event.occurredAt, sentAt, receivedAt)).toISOString();
  const recorded: RecordedEvent = {
    accountId,
    eventId: event.eventId.toLowerCase(),
    sessionId: event.sessionId.toLowerCase(),
    kind: event.kind,
    name: event.name,
    occurredAt: new Date(event.occurredAt).toISOString(),
    sentAt: sentAt && new Date(sentAt).toISOString(),
    receivedAt,
    at,
    localDate: todayIn(settings.resortTimezone, at),
    seq: event.index,
    properties,
  };
  return recorded;
};

/**
 * Records the events of one request. Safe to repeat: an event is known by its id.
 * @throws Overloaded when too many events wait: nothing was recorded
 */
export const recordEvents = async (deps: Deps, sender: Sender, events: readonly SentEvent[]): Promise<Recorded> => {
  if (!(await deps.mayAnalyse(sender.accountId)))
    return { accepted: 0, duplicates: 0, rejected: events.map(({ index }) => ({ index, detail: NO_CONSENT })) };
  const rejected: { index: number; detail: string }[] = [];
  const usable = new Map<string, RecordedEvent>();
  for (const event of events) {
    const made = recordable(deps, sender, event);
    if (typeof made === 'string') rejected.push({ index: event.index, detail: made });
    else if (!usable.has(made.eventId)) usable.set(made.eventId, made);
  }
  const accepted = await deps.analytics.addEvents([...usable.values()]);
  return { accepted, duplicates: events.length - rejected.length - accepted, rejected };
};
