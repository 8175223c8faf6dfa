/**
 * Text messages to the seller about a paid booking: that it came, and that it waits for an answer. Each is sent at most
 * once: the booking records it first, and whether the seller has a phone number. From that the seller is notified in the app
 * and by e-mail, too. They name the booking and the offer, nobody's personal data.
 */

import { account } from '../../domain/accounts/account.ts';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import { booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { type Notice, notices } from '../../domain/bookings/bookingEvents.ts';
import { referenceOf } from '../../domain/bookings/reference.ts';
import { reminderTimes } from '../../domain/catalog/confirmation.ts';
import { localTime } from '../../domain/core/dates.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS, msBetween } from '../../domain/core/instants.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import type { EventOf } from '../../domain/modules.ts';
import { metrics } from '../../infra/metrics.ts';
import { sleep, withTimeout } from '../../infra/retry.ts';
import { identityId } from '../accounts/identityIds.ts';
import { cueRefusedPhone } from '../accounts/notifications.ts';
import { SmsRefused } from '../accounts/smsSender.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { unlessRejected } from '../core/refusals.ts';
import { type MailDeps, writtenLanguage } from '../mail/mailTo.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { loadBooking } from './loadBooking.ts';
import { offeredItem, titleOf } from './offeredItem.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'sms' | 'log'>;

const SEND_MS = 10_000;
/** A gateway that refuses is asked again after these milliseconds. */
const PAUSES_MS = [1_000, 5_000];
/** Older news is none: of a payment that is handled again much later, nobody is told. */
const NEWS_MS = DAY_MS;

/** Whether a notice says what has happened, and does not remind of an answer. */
const isNews = (notice: Notice): notice is 'paid' | 'changed' => notice === 'paid' || notice === 'changed';

const TEXTS = {
  ru: {
    paid: (what: string) => `Новая оплаченная бронь ${what}.`,
    changed: (what: string) => `Бронь изменена, теперь ${what}.`,
    waits: (what: string) => `Бронь ${what} ждёт вашего ответа.`,
    ask: (until: string) => `Подтвердите или отклоните её до ${until}, иначе гость получит деньги назад.`,
  },
  en: {
    paid: (what: string) => `New paid booking ${what}.`,
    changed: (what: string) => `Booking changed, now ${what}.`,
    waits: (what: string) => `Booking ${what} waits for your answer.`,
    ask: (until: string) => `Confirm or reject it before ${until}, otherwise the guest gets the money back.`,
  },
} as const;

const textOf = async (
  deps: Deps,
  bookingId: string,
  state: OpenBooking,
  { notice, language }: { notice: Notice; language: NotificationLanguage },
): Promise<string> => {
  const texts = TEXTS[language];
  const offered = await offeredItem(deps, state.item);
  const { timezone } = offered;
  const what = `${referenceOf(bookingId)}: ${titleOf(offered, language)}, ${localTime(timezone, state.startsAt)}`;
  const said = texts[isNews(notice) ? notice : 'waits'](what);
  const answerBy = answerAwaitedBy(state);
  return answerBy === null ? said : `${said} ${texts.ask(localTime(timezone, answerBy))}`;
};

/**
 * @param pauses milliseconds before each further attempt, which follow a refusal only: nobody gets a message twice
 * @returns whether the number takes no messages at all
 */
const send = async (
  deps: Pick<PaymentDeps, 'sms' | 'log'>,
  phone: string,
  text: string,
  about: object,
  [pause, ...later]: readonly number[] = PAUSES_MS,
): Promise<boolean> => {
  try {
    await withTimeout(deps.sms.send(phone, text), SEND_MS, 'the SMS sender took too long');
    return false;
  } catch (err) {
    const isFinal = err instanceof SmsRefused && err.isFinal;
    if (pause !== undefined && err instanceof SmsRefused && !isFinal) {
      await sleep(pause);
      return send(deps, phone, text, about, later);
    }
    metrics.sellerNotices.inc({ outcome: 'failed' });
    deps.log.warn({ err, ...about }, 'a seller could not be told by SMS');
    return isFinal;
  }
};

/** Tells the seller. The job's id is the booking's and the notice. */
export const sellerNotice = defineJob<{ bookingId: string; notice: Notice }, PaymentDeps & MailDeps>(
  'seller_notice',
  async ({ data: { bookingId, notice } }, { deps, context }) => {
    const state = await loadBooking(deps, bookingId);
    const { state: seller } = await deps.aggregates.load(account, state.sellerId);
    const language = await writtenLanguage(deps, state.sellerId, seller.status === 'none' ? 'en' : seller.language);
    const text = await textOf(deps, bookingId, state, { notice, language });
    const about = { bookingId, notice };
    const known = seller.status === 'none' ? null : seller.phone;
    const phone = known !== null && isPlaceholder(known) ? null : known;
    const command = { type: 'NotifySeller', by: 'system', notice, sms: phone !== null } as const;
    const done = await unlessRejected(() => deps.aggregates.handle(booking, bookingId, command, context));
    if (!done || done.events.length === 0) return undefined; // it has ended meanwhile, or was told before
    // Without a phone number, the seller is told in the app and by e-mail.
    if (phone !== null && (await send(deps, phone, text, about))) {
      const phoneId = identityId(deps.vault, 'phone', phone);
      await cueRefusedPhone(deps, context, { accountId: state.sellerId, phoneId });
    }
    return undefined;
  },
);

const jobId = (bookingId: string, notice: Notice): string => `${bookingId}:${notice}`;

/** Sets the messages about a booking that was paid or changed just now. */
export const tellSeller = async (
  { meta, at, streamId: bookingId, data }: Recorded<EventOf<'BookingPaid' | 'BookingRescheduled'>>,
  { deps }: PolicyContext<PaymentDeps>,
  news: 'paid' | 'changed',
): Promise<void> => {
  if (msBetween(at, deps.now()) > NEWS_MS) return;
  const answerBy = 'holdId' in data ? data.change?.answerBy : data.answerBy;
  const told = answerBy === undefined ? [] : reminderTimes(at, answerBy);
  const due = [
    { notice: news as Notice, dueAt: at },
    ...told.map(({ reminder, dueAt }) => ({ notice: reminder, dueAt })),
  ];
  for (const { notice, dueAt } of due)
    await sellerNotice.schedule(deps.jobs, meta, {
      id: jobId(bookingId, notice),
      dueAt,
      data: { bookingId, notice },
    });
};

/** The answer is there, or not needed any more. */
export const stopReminding = async ({ jobs }: Pick<PaymentDeps, 'jobs'>, bookingId: string): Promise<void> => {
  for (const notice of notices) if (!isNews(notice)) await sellerNotice.cancel(jobs, jobId(bookingId, notice));
};
