/**
 * Where analytics are kept: outside of the event log, because there are thousands a second, they must be deletable, and
 * nothing is decided on them. This interface is all that the rest knows of the place (`postgres.ts`), so that a column store
 * can take it over (`docs/decisions/0024-analytics-beside-the-log.md`).
 */
import { analyticsPurpose, type Conversion, type eventKinds } from '../../domain/analytics/event.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';

export const waitingEvents: ExternalPersonalData = {
  what: 'events that wait to be written, in the API',
  where: 'memory',
  why: analyticsPurpose,
  retention: { until: 'they are written, within seconds' },
  exported: 'once they are written',
  erased: 'forgotten in every process',
};

/** An event of an app, ready to be stored. Times are RFC 3339 UTC, ids in lower case. */
export interface RecordedEvent {
  readonly accountId: string;
  /** Chosen by the app. Unique for the account and the UTC day of `occurredAt`, so that a repeated request adds nothing. */
  readonly eventId: string;
  readonly sessionId: string;
  readonly kind: (typeof eventKinds)[number];
  readonly name: string;
  /** By the clock of the device, as it was sent. */
  readonly occurredAt: string;
  readonly sentAt: string | null;
  readonly receivedAt: string;
  /** When it happened by our clock. */
  readonly at: string;
  /** The date of `at` at the resort. */
  readonly localDate: string;
  /** Its place in the request. */
  readonly seq: number;
  /** A JSON object as text. */
  readonly properties: string;
}

/**
 * An attempt begins with the first step and is a chain of the steps in their order, all within the window from its
 * beginning. Between them, anything may happen. A step belongs to the attempt that began last of those that have reached the
 * step before it. Steps at the same instant are taken in their order in the funnel, whenever they arrived.
 */
export interface FunnelQuery {
  /** Names of events or conversions; different ones. */
  readonly steps: readonly string[];
  readonly windowS: number;
  /** Attempts that began in this period; `to` is not included. RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** `any`: all attempts count. `once`: of each person, the one that got farthest, the earliest of those. */
  readonly mode: 'any' | 'once';
  /** Divides attempts by the first step: by its kind or one of its properties. */
  readonly groupBy?: { readonly by: 'kind' } | { readonly by: 'property'; readonly name: string } | undefined;
}

interface FunnelStep {
  /** How many attempts, or people, have reached it. */
  readonly count: number;
  /** Seconds from the step before; null for the first, and where nobody has reached it. */
  readonly medianS: number | null;
}

export interface FunnelGroup {
  /** null: not divided, or the first step does not have the property. A list or an object is its JSON text. */
  readonly group: string | number | boolean | null;
  /** In the order of the steps. */
  readonly steps: readonly FunnelStep[];
}

/** Dates at the resort, both included. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

export interface ActiveDay {
  readonly day: string;
  readonly people: number;
  readonly visits: number;
}

/** People who were active on a day, and in the 7 and 30 days that end with it. */
export interface ActivePeople {
  readonly dau: number;
  readonly wau: number;
  readonly mau: number;
}

/** People by the week in which they were first seen. */
export interface Cohort {
  /** Its Monday. */
  readonly week: string;
  readonly size: number;
  /** How many of them were active in that week, the next one, and so on. */
  readonly active: number[];
}

export interface AnalyticsStore {
  /**
   * Adds events in groups with those of other requests. Safe to repeat. Resolves once they are durable.
   * @returns how many of them were not there before
   * @throws Overloaded when too many wait: nothing was added
   */
  addEvents(events: readonly RecordedEvent[]): Promise<number>;
  /** Safe to repeat. @param accountId null: the person has not consented */
  addConversion(conversion: Conversion, accountId: string | null): Promise<void>;
  /** Takes the person from one conversion. Safe to repeat. */
  forgetWhose(conversionId: string): Promise<void>;
  /** The largest groups first, at most 100. @throws Overloaded, Rejected `invalid` for more than can be counted in time */
  funnel(query: FunnelQuery): Promise<FunnelGroup[]>;
  /** How many sessions the person had. */
  visitsOf(accountId: string, dates: Dates): Promise<number>;
  /** Days on which somebody was active. */
  activeDays(dates: Dates): Promise<ActiveDay[]>;
  activePeople(day: string): Promise<ActivePeople>;
  /** Deletes the events and visits of a person, and takes the person from conversions. Safe to repeat. */
  forget(accountId: string): Promise<void>;
  /** Of the weeks that begin in the period. @throws Overloaded, Rejected `invalid` */
  cohorts(dates: Dates): Promise<Cohort[]>;
}
