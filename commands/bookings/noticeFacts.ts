/** What notifications about a booking say of it. Nobody's personal data: the name of an instructor is one, so it is a lesson. */
import { type Static, Type } from '@sinclair/typebox';
import { type Booking, booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { referenceOf } from '../../domain/bookings/reference.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { dayAndTime } from '../../domain/core/wording.ts';
import type { CoreDeps } from '../core/deps.ts';
import { offeredItem } from './offeredItem.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

export const bookingFacts = {
  booking_id: Uuid,
  reference: Type.String(),
  /** null: a lesson. */
  title: Nullable(Type.String()),
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
  const { name, timezone } = await offeredItem({ aggregates: { ...aggregates, load } }, state.item);
  return {
    booking_id: bookingId,
    reference: referenceOf(bookingId),
    title: state.item.type === 'instructor' ? null : name,
    starts_at: state.startsAt,
    timezone,
  };
};

const LESSON: Readonly<Record<NotificationLanguage, string>> = { ru: 'занятие', en: 'lesson' };

/** `Grand Hotel, 12 December, 15:00`. */
export const whatOf = (language: NotificationLanguage, { title, starts_at, timezone }: BookingFacts): string =>
  `${title ?? LESSON[language]}, ${dayAndTime(language, timezone, starts_at)}`;
