/** The commands on a booking. Who may give them, and when, is in `booking.ts`. */
import type { Static } from '@sinclair/typebox';
import type { Canceller } from '../catalog/cancellation.ts';
import type { BookingTerms, bookingEvents, Notice } from './bookingEvents.ts';
import type { Guest } from './guest.ts';

/** The role of the actor in the booking. */
export type Party = Canceller;

export type Created = Static<typeof bookingEvents.BookingCreated.data>;

export type BookingCommand =
  | ({ readonly type: 'CreateBooking' } & Created)
  | ({ readonly type: 'Reschedule'; readonly by: Party; readonly at: string } & BookingTerms)
  /** Fields that are absent do not change. */
  | { readonly type: 'ChangeGuest'; readonly by: Party; readonly guest: Partial<Guest> }
  | { readonly type: 'ChangeNotes'; readonly by: Party; readonly notes: string | null }
  | {
      readonly type: 'StartPayment';
      readonly by: Party;
      readonly paymentId: string;
      /** The hold is kept until then. */
      readonly holdExpiresAt: string;
    }
  | { readonly type: 'ExtendHold'; readonly by: Party; readonly holdExpiresAt: string }
  | { readonly type: 'EndPayment'; readonly by: Party; readonly paymentId: string }
  | {
      readonly type: 'MarkPaid';
      readonly by: Party;
      /** null: it costs nothing. */
      readonly paymentId: string | null;
      readonly amountMinor: number;
      /** The hold that was committed for it. */
      readonly holdId: string;
      readonly at: string;
    }
  | { readonly type: 'NotifySeller'; readonly by: Party; readonly notice: Notice }
  | { readonly type: 'Confirm'; readonly by: Party }
  | { readonly type: 'Complete'; readonly by: Party }
  | { readonly type: 'MarkNoShow' | 'WithdrawNoShow'; readonly by: Party; readonly at: string }
  | { readonly type: 'Expire'; readonly by: Party }
  /** `receivedMinor`: what was paid and not given back. */
  | {
      readonly type: 'Cancel' | 'Reject';
      readonly by: Party;
      readonly reason: string | null;
      readonly receivedMinor: number;
      readonly at: string;
    };

export type Transition = Exclude<BookingCommand['type'], 'CreateBooking'>;
