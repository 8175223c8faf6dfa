/** Takes events of apps: those that can be used and that the person consents to, one by one. */
import { type eventKinds, refusalOf, skewOf } from '../../domain/analytics/event.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { timezoneNow } from '../platform/timezone.ts';
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

type Deps = Pick<AnalyticsDeps, 'aggregates' | 'analytics' | 'mayAnalyse'>;

/** Dates at the resort. Those of a batch are mostly of the same minute, and asking for one takes long. */
const datesAt = (timezone: string): ((at: string) => string) => {
  const known = new Map<string, string>();
  return (at) => {
    const minute = at.slice(0, 'YYYY-MM-DDTHH:MM'.length);
    const date = known.get(minute) ?? todayIn(timezone, at);
    known.set(minute, date);
    return date;
  };
};

/**
 * Makes what is stored of each event of a request, or says why it is rejected. There are thousands a second: each time is read
 * once, and what is the same for all events is named with the others, as spreading it takes four times as long.
 */
const recorder = ({ accountId, sentAt, receivedAt }: Sender, timezone: string) => {
  const received = Date.parse(receivedAt);
  const sent = sentAt === null ? null : Date.parse(sentAt);
  const skew = skewOf(sent, received);
  const sentIso = sent === null ? null : instantOf(sent);
  const dateOf = datesAt(timezone);
  /** @throws RangeError for a time that is none: the caller has checked it */
  return (event: SentEvent): RecordedEvent | string => {
    const occurred = Date.parse(event.occurredAt);
    const properties = JSON.stringify(event.properties);
    const propertiesBytes = Buffer.byteLength(properties);
    const detail = refusalOf({ name: event.name, occurred, propertiesBytes }, received);
    if (detail !== undefined) return detail;
    const occurredAt = instantOf(occurred);
    const at = skew === 0 ? occurredAt : instantOf(occurred + skew);
    return {
      accountId,
      eventId: event.eventId.toLowerCase(),
      sessionId: event.sessionId.toLowerCase(),
      kind: event.kind,
      name: event.name,
      occurredAt,
      sentAt: sentIso,
      receivedAt,
      at,
      localDate: dateOf(at),
      seq: event.index,
      properties,
    };
  };
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
  const record = recorder(sender, await timezoneNow(deps));
  for (const event of events) {
    const made = record(event);
    if (typeof made === 'string') rejected.push({ index: event.index, detail: made });
    else if (!usable.has(made.eventId)) usable.set(made.eventId, made);
  }
  const accepted = await deps.analytics.addEvents([...usable.values()]);
  return { accepted, duplicates: events.length - rejected.length - accepted, rejected };
};
