/**
 * A booking as a calendar file (RFC 5545). Stays are dates, as hotels count them: the day of check-out is not part of it.
 * Slots are instants in UTC, which every calendar shows in its own time zone, so that no rules of daylight saving time
 * have to travel with the file.
 */
import icalendar, { ICalCalendarMethod, ICalEventBusyStatus, ICalEventStatus } from 'ical-generator';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import { booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { referenceOf } from '../../domain/bookings/reference.ts';
import { localTime } from '../../domain/core/dates.ts';
import { notFound } from '../../domain/core/decider.ts';
import { typedLine } from '../../infra/typedText.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { Attachment, Mail } from '../mail/mailTo.ts';
import { type Offered, offeredItem, titleOf } from './offeredItem.ts';

export interface CalendarFacts {
  readonly bookingId: string;
  readonly state: OpenBooking;
  /** Grows with every change of the booking: its stream's revision. */
  readonly sequence: number;
  readonly offered: Offered;
  readonly language: Mail['language'];
  /** When the file is made, RFC 3339. */
  readonly at: string;
}

/** RFC 5546 wants an organizer of what is published or cancelled. Nobody reads answers: the domain can't exist (RFC 2606). */
const NOBODY = 'no-reply@resort.invalid';

const WORDS = {
  ru: { booking: 'Бронь', guests: 'Гостей', starts: 'Начало' },
  en: { booking: 'Booking', guests: 'Guests', starts: 'Starts' },
} as const;

/** Whether it will not take place. */
const isOff = ({ status }: Pick<OpenBooking, 'status'>): boolean =>
  status === 'cancelled' || status === 'rejected' || status === 'expired';

const statusOf = (state: OpenBooking): ICalEventStatus => {
  if (isOff(state)) return ICalEventStatus.CANCELLED;
  const isOpen = state.status === 'pending_payment' || answerAwaitedBy(state) !== null;
  return isOpen ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
};

const methodOf = (state: OpenBooking): ICalCalendarMethod =>
  isOff(state) ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH;

const timesOf = ({ item }: OpenBooking) =>
  item.type === 'hotel'
    ? { allDay: true, start: new Date(`${item.checkIn}T00:00:00Z`), end: new Date(`${item.checkOut}T00:00:00Z`) }
    : { start: new Date(item.slotStart), end: new Date(item.slotEnd) };

/** The calendar file of a booking. A later one, with a higher sequence, replaces it in the guest's calendar. */
export const bookingCalendar = ({ bookingId, state, sequence, offered, language, at }: CalendarFacts): string => {
  const words = WORDS[language];
  const { timezone, address } = offered;
  const { item, guests, startsAt } = state;
  // Texts that were stored before they were cleaned where they come in.
  const title = typedLine(titleOf(offered, language));
  const description = [
    `${words.booking} ${referenceOf(bookingId)}`,
    `${words.guests}: ${guests}`,
    ...(item.type === 'hotel' ? [] : [`${words.starts}: ${localTime(timezone, startsAt)} (${timezone})`]),
  ].join('\n');
  const calendar = icalendar({
    prodId: { company: 'resort', product: 'booking', language: language.toUpperCase() },
    method: methodOf(state),
    events: [
      {
        id: `${bookingId}@resort-booking`,
        sequence,
        stamp: new Date(at),
        ...timesOf(state),
        organizer: { name: title, email: NOBODY },
        summary: title,
        description,
        ...(address !== null && { location: typedLine(address) }),
        status: statusOf(state),
        busystatus: isOff(state) ? ICalEventBusyStatus.FREE : ICalEventBusyStatus.BUSY,
      },
    ],
  });
  return calendar.toString();
};

/**
 * The calendar file of a booking as it is now, for its guest.
 * @throws Rejected `not_found`, also for the booking of somebody else
 */
export const calendarFor = async (
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
  guestId: string,
  bookingId: string,
  { language, at }: Pick<CalendarFacts, 'language' | 'at'>,
): Promise<Attachment> => {
  const { state, revision } = await aggregates.load(booking, bookingId);
  if (state.status === 'none' || state.userId !== guestId) throw notFound('booking');
  const offered = await offeredItem({ aggregates }, state.item);
  return {
    name: `booking-${referenceOf(bookingId)}.ics`,
    type: `text/calendar; charset=utf-8; method=${methodOf(state)}`,
    content: bookingCalendar({ bookingId, state, sequence: Number(revision ?? 0n), offered, language, at }),
  };
};
