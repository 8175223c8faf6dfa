/** The commands on a booking. Who may give them, and when, is in `booking.ts`. */
import type { Static } from '@sinclair/typebox';
import type { Canceller } from '../catalog/cancellation.ts';
import type { Received } from '../payments/payment.ts';
import type { BookingTerms, bookingEvents, changeEnds, Notice } from './bookingEvents.ts';
import type { Guest } from './guest.ts';

/** The role of the actor in the booking. */
export type Party = Canceller;

export type Created = Static<typeof bookingEvents.BookingCreated.data>;

export type BookingCommand =
  | ({ readonly type: 'CreateBooking' } & Created)
  | ({
      readonly type: 'Reschedule';
      readonly by: Party;
      readonly at: string;
      /** What the new terms were derived from. */
      readonly former: Pick<BookingTerms, 'holdId' | 'guests'>;
    } & BookingTerms)
  /** A paid booking is to have these terms. Their places are held until `holdExpiresAt`. */
  | ({
      readonly type: 'ProposeChange';
      readonly by: Party;
      readonly at: string;
      /** What the new terms were derived from. */
      readonly former: Pick<BookingTerms, 'holdId'>;
      readonly received: Received;
      readonly holdExpiresAt: string;
    } & BookingTerms)
  /** A stay that has begun is to end on this date. Its shorter hold lasts until `holdExpiresAt`. */
  | {
      readonly type: 'Shorten';
      readonly by: Party;
      readonly at: string;
      readonly checkOut: string;
      /** What the seller gives back. */
      readonly refundMinor: number;
      readonly received: Received;
      readonly holdId: string;
      readonly holdExpiresAt: string;
      /** That of the listing, for a booking that does not say it itself. */
      readonly timezone: string | undefined;
    }
  | {
      readonly type: 'MakeChange';
      readonly by: Party;
      /** The hold that was committed for it. */
      readonly holdId: string;
      /** null: nothing was due. */
      readonly paymentId: string | null;
      readonly amountMinor: number;
      /** When the money came. */
      readonly at: string;
      /** When the seller can see it. */
      readonly knownAt: string;
    }
  | {
      readonly type: 'WithdrawChange';
      readonly by: Party;
      /** That of the change; absent: whichever is proposed. */
      readonly holdId?: string;
      readonly reason: (typeof changeEnds)[number];
    }
  /** Fields that are absent do not change. */
  | { readonly type: 'ChangeGuest'; readonly by: Party; readonly guest: Partial<Guest> }
  | { readonly type: 'ChangeNotes'; readonly by: Party; readonly notes: string | null }
  | {
      readonly type: 'StartPayment';
      readonly by: Party;
      readonly paymentId: string;
      /** What is paid for, and its price. */
      readonly holdId: string;
      readonly amountMinor: number;
      readonly at: string;
      /** The hold is kept until then. */
      readonly holdExpiresAt: string;
    }
  /** `holdId`: the hold that was extended. */
  | { readonly type: 'ExtendHold'; readonly by: Party; readonly holdId: string; readonly holdExpiresAt: string }
  | { readonly type: 'EndPayment'; readonly by: Party; readonly paymentId: string }
  | {
      readonly type: 'MarkPaid';
      readonly by: Party;
      /** null: it costs nothing. */
      readonly paymentId: string | null;
      readonly amountMinor: number;
      /** When the money came. */
      readonly at: string;
      /** The hold that was committed for it. */
      readonly holdId: string;
      /** When the seller can see it: the time to answer begins. */
      readonly knownAt: string;
    }
  | { readonly type: 'NotifySeller'; readonly by: Party; readonly notice: Notice; readonly sms: boolean }
  | { readonly type: 'Confirm'; readonly by: Party }
  | { readonly type: 'Complete'; readonly by: Party }
  | { readonly type: 'MarkNoShow'; readonly by: Party; readonly at: string }
  /** `holdId`: with which its places are held again. */
  | { readonly type: 'WithdrawNoShow'; readonly by: Party; readonly at: string; readonly holdId: string }
  /** `holdId`: the hold that was released. */
  | { readonly type: 'Expire'; readonly by: Party; readonly holdId: string }
  | {
      readonly type: 'Cancel' | 'Reject';
      readonly by: Party;
      readonly reason: string | null;
      readonly received: Received;
      readonly at: string;
      /** That of the listing, for a guest's booking that does not say it itself. */
      readonly timezone?: string | undefined;
    };

export type Transition = Exclude<BookingCommand['type'], 'CreateBooking'>;
