/** What the notifications of guests about their bookings have in common. */
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { type BookingStatus, booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { Currency, Minor } from '../../domain/core/schema.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { Cue, Found, NoticeMail } from '../core/notification.ts';
import { calendarFor } from './calendar.ts';
import { detailLines, referenceLine } from './mailDetails.ts';
import { type BookingFacts, bookingFacts, bookingSince, factsOf } from './noticeFacts.ts';
import { offeredItem } from './offeredItem.ts';

export type Place = Pick<Recorded, 'streamId' | 'revision'>;
export const aboutOf = ({ streamId: bookingId, revision }: Place) => ({ bookingId, revision: String(revision) });
export const cueOf = (event: Place): Cue => ({ about: aboutOf(event) });
const linkOf = ({ booking_id }: { readonly booking_id: string }): string => `/bookings/${booking_id}`;

/** Tells the guest, as the booking is now; nobody when it is none of these statuses any more. */
export const toGuest =
  <P extends object>(
    statuses: readonly BookingStatus[],
    more: (state: OpenBooking) => P,
  ): ((
    about: Cue['about'],
    context: { readonly deps: CoreDeps },
  ) => Promise<Found<Static<TObject<typeof bookingFacts>> & P>>) =>
  async (about, { deps }) => {
    const { bookingId = '' } = about;
    const state = await bookingSince(deps, about);
    if (state.status === 'none' || !statuses.includes(state.status)) return [];
    return [{ to: state.userId, params: { ...(await factsOf(deps, bookingId, state)), ...more(state) } }];
  };

export type Mailed = Pick<BookingFacts, 'booking_id' | 'reference'>;

/**
 * What the e-mail says beside the notification: the number, unless the notification has named it, and as long as the booking
 * stands, what a guest needs on the way. With the calendar file of the booking as it is by then, which replaces the former
 * one in the guest's calendar.
 */
export const bookingMail =
  <P extends Mailed>(namesReference: (params: P) => boolean) =>
  async (given: P, language: NotificationLanguage, { aggregates, now }: CoreDeps): Promise<NoticeMail> => {
    const { booking_id, reference } = given;
    const { state } = await aggregates.load(booking, booking_id);
    const lines = namesReference(given) ? [] : [referenceLine(language, reference)];
    if (state.status === 'none') return { paragraphs: lines, attachments: [] };
    const file = await calendarFor({ aggregates }, state.userId, booking_id, { language, at: now() });
    const isOn = state.status === 'paid' || state.status === 'confirmed';
    const details = isOn ? detailLines(language, state, await offeredItem({ aggregates }, state.item)) : [];
    const all = [...lines, ...details];
    return { paragraphs: all.length > 0 ? [all.join('\n')] : [], attachments: [file] };
  };
export const withCalendar = bookingMail(() => false);

export const params = <M extends TProperties>(more: M) => Type.Object({ ...bookingFacts, ...more });
export const money = { minor: Minor, currency: Currency };
export const always = { kind: 'booking', urgency: 'high', link: linkOf } as const;
