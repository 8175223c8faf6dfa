/** What apps report of their use, and what the log adds to it. Pure: shapes, limits and the correction of clocks. */
import { Type } from '@sinclair/typebox';
import { clockSkew } from '../core/deviceClock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/instants.ts';
import { OneOf } from '../core/schema.ts';

/** Why this module holds personal data. */
export const analyticsPurpose = {
  purpose: 'count how the apps are used',
  basis: 'consent',
  seenBy: ['self', 'admins'],
} as const;

export const eventKinds = ['screen_view', 'click', 'conversion'] as const;
export const EventKind = OneOf(eventKinds);

/** What the log records by itself, exactly once. Apps do not send these names. */
export const conversionNames = ['booked', 'paid', 'cancelled'] as const;
export type ConversionName = (typeof conversionNames)[number];
const isConversion = (name: string): boolean => conversionNames.some((each) => each === name);

/** Names of events: of screens, buttons and goals. */
export const EventName = Type.String({ pattern: '^[a-z][a-z0-9_.:/-]{0,63}$', examples: ['hotel_card'] });

/** Events in one batch. */
export const MAX_EVENTS_AT_ONCE = 500;
/** Of the properties of one event as JSON text. */
export const MAX_PROPERTIES_BYTES = 8 * 1024;

/** Apps keep events while they have no network; later ones are refused. */
const MAX_AGE_MS = 30 * DAY_MS;
/** A device's clock may be ahead by this much. */
const MAX_AHEAD_MS = DAY_MS;

/** A smaller difference can be the time that the request took. */
const MIN_SKEW_MS = 2 * MINUTE_MS;
/** A larger one is no skew of a clock: the request was kept somewhere, or the clock was never set. */
export const MAX_SKEW_MS = HOUR_MS;

/** An event of an app, as far as it is decided on. `propertiesBytes`: of its properties as JSON text. */
export interface ReportedEvent {
  readonly name: string;
  /** When it happened by the clock of the device, in milliseconds since 1970. */
  readonly occurred: number;
  readonly propertiesBytes: number;
}

/** Why an event is rejected; undefined when it is not. @param received by our clock, in milliseconds since 1970 */
export const refusalOf = (event: ReportedEvent, received: number): string | undefined => {
  const ahead = event.occurred - received;
  if (isConversion(event.name)) return `The name ${event.name} is recorded by the platform itself. Choose another one.`;
  if (ahead > MAX_AHEAD_MS) return 'occurred_at is more than a day ahead. Check the clock of the device.';
  if (-ahead > MAX_AGE_MS) return 'occurred_at is more than 30 days ago. Such events are not taken any more.';
  if (event.propertiesBytes > MAX_PROPERTIES_BYTES)
    return `The properties are larger than ${MAX_PROPERTIES_BYTES / 1024} KiB.`;
  return undefined;
};

/**
 * By how much the clock of a device is corrected: by what it said when the request was sent, when that is wrong by some
 * minutes. Smaller differences stay: they contain the time of the way, and correcting by them would reorder what a device
 * sends in two requests.
 * @param sent by the clock of the device; null: not said
 * @param received by our clock; both in milliseconds since 1970
 */
export const skewOf = (sent: number | null, received: number): number =>
  clockSkew(sent, received, { leastMs: MIN_SKEW_MS, mostMs: MAX_SKEW_MS });

/** A conversion that the log tells of. */
export interface Conversion {
  /** Derived from the event of the log. */
  readonly id: string;
  readonly name: ConversionName;
  /** `hotel`, `tour`, … of bookings; `ski_pass`, `insurance` of purchases. */
  readonly itemType: string;
  readonly itemId: string;
  /** The price booked, the money paid, what goes back. */
  readonly amountMinor: number;
  readonly currency: string;
  /** RFC 3339 UTC. */
  readonly at: string;
}
