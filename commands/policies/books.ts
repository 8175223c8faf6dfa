/** What follows for the books: payments are watched and held against their providers' word. */
import { listPayments, watchPayment } from '../payments/reconciliation.ts';
import { policy } from './policy.ts';

export const bookPolicy = policy('books', {
  PaymentCreated: watchPayment,
  PaymentSucceeded: watchPayment,
  PaymentFailed: watchPayment,
  PaymentCancelled: watchPayment,
  PaymentExpired: watchPayment,
  RefundRequested: watchPayment,
  RefundSucceeded: watchPayment,
  RefundFailed: watchPayment,
  ReconciliationStarted: listPayments,
});
