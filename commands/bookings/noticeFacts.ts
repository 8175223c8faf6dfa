/** What notifications about a booking say of it. Nobody's personal data: the name of an instructor is one, so it is a lesson. */
import { type Static, Type } from '@sinclair/typebox';
import { type Booking, booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { referenceOf } from '../../domain/bookings/reference.ts';
import { bookingTypes } from '../../domain/catalog/bookableItem.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { dayAndTime } from '../../domain/core/wording.ts';
import type { CoreDeps } from '../core/deps.ts';
import { offeredItem, titleOf } from './offeredItem.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

export const bookingFacts = {
  booking_id: Uuid,
  reference: Type.String(),
  /** What was booked. Absent from notifications of before, which name a lesson where there is no title. */
  type: Type.Optional(OneOf(bookingTypes)),
  /** null: a lesson, or its seller was erased. */
  title: Nullable(Type.String()),
  /** Whose title it is: it goes with them. */
  owner_id: Nullable(Uuid),
  starts_at: Instant,
  timezone: Type.String(),
};
const BookingFacts = Type.Object(bookingFacts);
export type BookingFacts = Static<typeof BookingFacts>;

/** A name or a time zone that was changed since then is told a little later. */
const LISTING_MS = MINUTE_MS;
/** A booking as another policy of this process has just read it. */
const BOOKING_MS = 5_000;

/** The booking that an event led to this notice of: as it is, or as it was a moment ago, but not before the event. */
export const bookingSince = async (
  { aggregates }: Deps,
  { bookingId = '', revision = '' }: Readonly<Record<string, string>>,
): Promise<Booking> => {
  const known = await aggregates.load(booking, bookingId, { maxAgeMs: BOOKING_MS });
  const isSince = revision !== '' && known.revision !== null && known.revision >= BigInt(revision);
  return isSince ? known.state : (await aggregates.load(booking, bookingId)).state;
};

export const factsOf = async (
  deps: Deps,
  bookingId: string,
  state: { readonly item: Pick<OpenBooking['item'], 'type' | 'listingId'>; readonly startsAt: string },
): Promise<BookingFacts> => {
  const { aggregates } = deps;
  const load: typeof aggregates.load = (decider, id) => aggregates.load(decider, id, { maxAgeMs: LISTING_MS });
  const { type, title, ownerId, timezone } = await offeredItem({ aggregates: { ...aggregates, load } }, state.item);
  return {
    booking_id: bookingId,
    reference: referenceOf(bookingId),
    ...{ type, title, owner_id: ownerId },
    starts_at: state.startsAt,
    timezone,
  };
};

/** `Grand Hotel, 12 December, 15:00`. */
export const whatOf = (
  language: NotificationLanguage,
  { type = 'instructor', title, starts_at, timezone }: BookingFacts,
): string => `${titleOf({ type, title }, language)}, ${dayAndTime(language, timezone, starts_at)}`;
