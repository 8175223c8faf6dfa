/** Payments through two providers: saved cards, refunds, notifications, chargebacks and reconciliation. */
import { ProviderError } from '../../commands/payments/paymentProvider.ts';
import { appModule } from '../http/appModule.ts';
import { type ErrorMapping, temporary } from '../http/errors.ts';
import type { ApiModule } from '../http/module.ts';
import { adminPaymentRoutes } from './adminPayments.ts';
import { chargebackRoutes } from './chargebacks.ts';
import { paymentMethodRoutes } from './paymentMethods.ts';
import { paymentSettingsRoutes } from './paymentSettings.ts';
import { paymentRoutes } from './payments.ts';
import { reconciliationRoutes } from './reconciliations.ts';

const errors: ErrorMapping = (error) => {
  if (!(error instanceof ProviderError)) return undefined;
  if (error.kind === 'away' && error.isForGood)
    return temporary(
      'provider_away',
      'This system cannot reach the payment provider until its operators have repaired that. Trying again does not help before.',
    );
  if (error.kind === 'away')
    return temporary('provider_away', 'The payment provider does not answer. Try again shortly.');
  return {
    code: 'provider_refused',
    detail: 'The payment provider refused this operation.',
    facts: { reason: error.reason },
    unexpected: true,
  };
};

export const payments: ApiModule = {
  service: 'bookings',
  opens: appModule('payments'),
  errors,
  routes: [
    ...paymentRoutes,
    ...adminPaymentRoutes,
    ...paymentSettingsRoutes,
    ...paymentMethodRoutes,
    ...reconciliationRoutes,
    ...chargebackRoutes,
  ],
};
