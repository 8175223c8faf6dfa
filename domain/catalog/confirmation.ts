/**
 * Whether a paid booking is certain at once or waits for the seller's answer. A listing says which; a booking keeps what
 * its listing said when it was made.
 */
import type { Static } from '@sinclair/typebox';
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS, msBetween } from '../core/instants.ts';
import { OneOf } from '../core/schema.ts';

export const confirmations = ['instant', 'on_request'] as const;
export const Confirmation = OneOf(confirmations, {
  description:
    '`instant`: a paid booking is certain. `on_request`: the seller confirms or rejects it, until `answer_by` of the booking.',
});
export type Confirmation = Static<typeof Confirmation>;

/** Of listings that do not say, and of listings and bookings made before listings could. */
export const defaultConfirmation = {
  hotel: 'instant',
  tour: 'instant',
  transfer: 'instant',
  restaurant: 'on_request',
  instructor: 'on_request',
} as const satisfies Readonly<Record<string, Confirmation>>;

/** The seller's time to answer, from the payment on. */
const ANSWER_MS = DAY_MS;
/** The answer comes at least this long before the start, so that a rejected guest can still find something else. */
const BEFORE_START_MS = 2 * HOUR_MS;
/** Even shortly before the start, the seller has this long. */
const LEAST_ANSWER_MS = 30 * MINUTE_MS;

/** Until when the seller of a booking on request has to answer. All instants are RFC 3339. */
export const answerDeadline = (paidAt: string, startsAt: string): string => {
  const paid = Date.parse(paidAt);
  return instantOf(
    Math.max(paid + LEAST_ANSWER_MS, Math.min(paid + ANSWER_MS, Date.parse(startsAt) - BEFORE_START_MS)),
  );
};

/** Whether the seller would have no time left to answer before the start. */
export const isTooLateToAsk = (confirmation: Confirmation, startsAt: string, at: string): boolean =>
  confirmation === 'on_request' && msBetween(at, startsAt) < LEAST_ANSWER_MS;

/** What a guest reads when it is too late to ask. */
export const TOO_LATE_TO_ASK =
  'The seller confirms each booking, so it must be made at least 30 minutes before the start. Choose a later time.';

export const reminders = ['reminder', 'last_reminder'] as const;
export type Reminder = (typeof reminders)[number];
/** The last reminder comes this long before the deadline. */
const LAST_CALL_MS = HOUR_MS;

/**
 * When the seller is reminded: after half of the time, and one hour before the deadline if that is later than the first
 * by an hour or more.
 */
export const reminderTimes = (
  paidAt: string,
  answerBy: string,
): { readonly reminder: Reminder; readonly dueAt: string }[] => {
  const [paid, deadline] = [Date.parse(paidAt), Date.parse(answerBy)];
  const half = paid + (deadline - paid) / 2;
  const last = deadline - LAST_CALL_MS;
  return [
    { reminder: 'reminder', dueAt: instantOf(half) },
    ...(last - half >= LAST_CALL_MS ? [{ reminder: 'last_reminder' as const, dueAt: instantOf(last) }] : []),
  ];
};
