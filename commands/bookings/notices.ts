/**
 * Text messages to the seller about a paid booking: that it came, and that it waits for an answer. Each is sent at most
 * once: the booking records it first. They name the booking and the offer, nobody's personal data.
 */
import { account } from '../../domain/accounts/account.ts';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import { booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { type Notice, notices } from '../../domain/bookings/bookingEvents.ts';
import { referenceOf } from '../../domain/bookings/reference.ts';
import type { BookingType } from '../../domain/catalog/bookableItem.ts';
import { reminderTimes } from '../../domain/catalog/confirmation.ts';
import { hotel } from '../../domain/catalog/hotel.ts';
import { instructor } from '../../domain/catalog/instructor.ts';
import { restaurant } from '../../domain/catalog/restaurant.ts';
import { tour } from '../../domain/catalog/tour.ts';
import { transfer } from '../../domain/catalog/transfer.ts';
import { localTime } from '../../domain/core/dates.ts';
import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import { ERASED } from '../../domain/core/schema.ts';
import type { EventOf } from '../../domain/modules.ts';
import { metrics } from '../../infra/metrics.ts';
import { sleep, withTimeout } from '../../infra/retry.ts';
import { SmsRefused } from '../accounts/smsSender.ts';
import { loadListing } from '../catalog/listings.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { loadBooking } from './bookings.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'sms' | 'log'>;

const SEND_MS = 10_000;
/** A gateway that refuses is asked again after these milliseconds. */
const PAUSES_MS = [1_000, 5_000];
/** Older news is none: of a payment that is handled again much later, nobody is told. */
const NEWS_MS = 24 * 3_600_000;

type Offered = { readonly name: string; readonly timezone: string };
/** What was booked. The name of an instructor is personal data. */
const offerOf: Readonly<Record<BookingType, (deps: Deps, listingId: string) => Promise<Offered>>> = {
  hotel: (deps, id) => loadListing(deps, hotel, id),
  tour: (deps, id) => loadListing(deps, tour, id),
  restaurant: (deps, id) => loadListing(deps, restaurant, id),
  transfer: (deps, id) => loadListing(deps, transfer, id),
  instructor: async (deps, id) => ({ ...(await loadListing(deps, instructor, id)), name: 'lesson' }),
};

const textOf = async (deps: Deps, bookingId: string, state: OpenBooking, notice: Notice): Promise<string> => {
  const { type, listingId } = state.item;
  const { name, timezone } = await offerOf[type](deps, listingId);
  const what = `${referenceOf(bookingId)}: ${name}, ${localTime(timezone, state.startsAt)}`;
  const answerBy = answerAwaitedBy(state);
  if (answerBy === null) return `New paid booking ${what}.`;
  const ask = `Confirm or reject it before ${localTime(timezone, answerBy)}, otherwise the guest gets the money back.`;
  return notice === 'paid' ? `New paid booking ${what}. ${ask}` : `Booking ${what} waits for your answer. ${ask}`;
};

/** @param pauses milliseconds before each further attempt, which follow a refusal only: nobody gets a message twice */
const send = async (
  deps: Pick<PaymentDeps, 'sms' | 'log'>,
  phone: string,
  text: string,
  about: object,
  [pause, ...later]: readonly number[] = PAUSES_MS,
): Promise<void> => {
  try {
    await withTimeout(deps.sms.send(phone, text), SEND_MS, 'the SMS sender took too long');
  } catch (err) {
    if (pause !== undefined && err instanceof SmsRefused) {
      await sleep(pause);
      return send(deps, phone, text, about, later);
    }
    metrics.sellerNotices.inc({ outcome: 'failed' });
    deps.log.warn({ err, ...about }, 'a seller could not be told by SMS');
  }
};

/** Tells the seller. The job's id is the booking's and the notice. */
export const sellerNotice = defineJob<{ bookingId: string; notice: Notice }, PaymentDeps>(
  'seller_notice',
  async ({ data: { bookingId, notice } }, { deps, context }) => {
    const state = await loadBooking(deps, bookingId);
    const { state: seller } = await deps.aggregates.load(account, state.sellerId);
    const phone = seller.status === 'none' ? null : seller.phone;
    const about = { bookingId, notice };
    if (phone === null || phone === ERASED) {
      deps.log.info(about, 'no SMS about a booking: its seller has no phone number');
      return undefined;
    }
    const text = await textOf(deps, bookingId, state, notice);
    try {
      const command = { type: 'NotifySeller', by: 'system', notice } as const;
      const { events } = await deps.aggregates.handle(booking, bookingId, command, context);
      if (events.length === 0) return undefined;
    } catch (error) {
      if (error instanceof Rejected) return undefined; // it has ended meanwhile
      throw error;
    }
    await send(deps, phone, text, about);
    return undefined;
  },
);

const jobId = (bookingId: string, notice: Notice): string => `${bookingId}:${notice}`;

/** Sets the messages about a booking that was paid just now. */
export const tellSeller = async (
  { meta, at, streamId: bookingId, data }: Recorded<EventOf<'BookingPaid'>>,
  { deps }: PolicyContext<PaymentDeps>,
): Promise<void> => {
  if (Date.parse(deps.now()) - Date.parse(at) > NEWS_MS) return;
  const told = data.answerBy === undefined ? [] : reminderTimes(at, data.answerBy);
  const due = [
    { notice: 'paid' as Notice, dueAt: at },
    ...told.map(({ reminder, dueAt }) => ({ notice: reminder, dueAt })),
  ];
  for (const { notice, dueAt } of due)
    await sellerNotice.schedule(deps.pool, meta, {
      id: jobId(bookingId, notice),
      dueAt,
      data: { bookingId, notice },
    });
};

/** The answer is there, or not needed any more. */
export const stopReminding = async ({ pool }: Pick<PaymentDeps, 'pool'>, bookingId: string): Promise<void> => {
  for (const notice of notices) if (notice !== 'paid') await sellerNotice.cancel(pool, jobId(bookingId, notice));
};
