/** The write-side manifest of this module. */
import { commissionRules } from '../../domain/commissions/commissionRules.ts';
import type { CommandModule } from '../core/module.ts';
import type { PaidModule } from '../payments/payables.ts';
import { bookedTimesPolicy } from './bookedTimes.ts';
import { earlyEndNotifications } from './endedEarly.ts';
import { guestNotifications } from './guestNotifications.ts';
import { noShowPolicy } from './noShows.ts';
import { sellerNotice } from './notices.ts';
import { bookingPayable } from './payables.ts';
import { bookingPaymentPolicy } from './paymentPolicy.ts';
import { bookingDue, bookingPolicy, holdExpiry } from './policy.ts';
import { bookingUses, promoUsePolicy } from './promoUses.ts';
import { sellerNotifications } from './sellerNotifications.ts';
import { unpaidMigrations } from './unpaid.ts';

export const bookings = {
  policies: [bookingPolicy, bookedTimesPolicy, noShowPolicy, bookingPaymentPolicy, promoUsePolicy],
  jobs: [holdExpiry, bookingDue, sellerNotice, bookingUses.due],
  notifications: [...guestNotifications, ...earlyEndNotifications, ...sellerNotifications],
  followedByApi: [commissionRules],
  payables: [bookingPayable],
  migrations: [unpaidMigrations],
} as const satisfies CommandModule & PaidModule;
