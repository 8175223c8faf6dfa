/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { chargeback } from './chargebacks.ts';
import { connectPayments } from './connect.ts';
import { duplicateReturn } from './duplicates.ts';
import { escrowHold } from './escrow.ts';
import { inboxMigrations, notified } from './inbox.ts';
import { mailedReceiptPolicy } from './mailedReceipts.ts';
import { paymentNotifications } from './notifications.ts';
import { paymentLook } from './paymentLook.ts';
import { methodRemoval, methodSync, paymentMethodPolicy } from './paymentMethodPolicy.ts';
import { paymentProviders, removeAllMethods, savedMethodErasure } from './paymentMethodRemoval.ts';
import { capture, paymentCancel, paymentPolicy, paymentTtl, refund } from './policy.ts';
import { closingReceipt } from './receipts.ts';
import { dailyReconciliation, paymentWatchPolicy, reconciliationPolicy, reconciliationRun } from './reconciliation.ts';
import { refundReservation } from './refunds.ts';
import { release } from './releaseShare.ts';
import { paymentSettings } from './settings.ts';
import { settingsChangeMigrations, settingsChangePolicy, settingsNotice } from './settingsChanges.ts';
import { paymentSubmit } from './submitPayment.ts';
import { reconciliationMigrations } from './watchedPayments.ts';

export const payments = {
  notifications: paymentNotifications,
  policies: [
    paymentPolicy,
    mailedReceiptPolicy,
    paymentMethodPolicy,
    reconciliationPolicy,
    paymentWatchPolicy,
    settingsChangePolicy,
  ],
  jobs: [
    paymentTtl,
    paymentCancel,
    capture,
    refund,
    refundReservation,
    duplicateReturn,
    paymentSubmit,
    paymentLook,
    closingReceipt,
    chargeback,
    release,
    escrowHold,
    notified,
    methodSync,
    methodRemoval,
    savedMethodErasure.job,
    dailyReconciliation,
    reconciliationRun,
    settingsNotice,
  ],
  migrations: [inboxMigrations, reconciliationMigrations, settingsChangeMigrations],
  erasure: { before: removeAllMethods, outside: [savedMethodErasure] },
  settings: paymentSettings,
  connect: connectPayments,
  externalPersonalData: [paymentProviders],
} as const satisfies CommandModule;
