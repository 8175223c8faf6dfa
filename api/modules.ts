/** Every route. A new module adds its list here. */

import { authRoutes } from './accounts/auth.ts';
import { oauthRoutes } from './accounts/oauth.ts';
import { roleRequestRoutes } from './accounts/roleRequests.ts';
import { userRoutes } from './accounts/users.ts';
import { auditRoutes } from './audit/audit.ts';
import { bookingRoutes } from './bookings/bookings.ts';
import { newBookingRoutes } from './bookings/newBookings.ts';
import { tripRoutes } from './bookings/trips.ts';
import { hotelRoutes } from './catalog/hotels.ts';
import { listingRoutes } from './catalog/listings.ts';
import { slotRoutes } from './catalog/slots.ts';
import { commissionRoutes } from './commissions/commissions.ts';
import type { Route } from './http/route.ts';
import { funnelRoutes } from './ledger/funnel.ts';
import { ledgerRoutes } from './ledger/ledger.ts';
import { payoutRoutes } from './ledger/payouts.ts';
import { projectionRoutes } from './operations/projections.ts';
import { apiKeyRoutes } from './partners/apiKeys.ts';
import { otaRoutes } from './partners/ota.ts';
import { passRoutes } from './passes/passes.ts';
import { tariffRoutes } from './passes/tariffs.ts';
import { adminPaymentRoutes } from './payments/adminPayments.ts';
import { paymentMethodRoutes } from './payments/paymentMethods.ts';
import { paymentSettingsRoutes } from './payments/paymentSettings.ts';
import { paymentRoutes } from './payments/payments.ts';
import { reconciliationRoutes } from './payments/reconciliations.ts';
import { insuranceRoutes } from './purchases/insurance.ts';
import { purchaseRoutes } from './purchases/purchases.ts';

export const routes: readonly Route[] = [
  ...authRoutes,
  ...oauthRoutes,
  ...userRoutes,
  ...roleRequestRoutes,
  ...hotelRoutes,
  ...listingRoutes,
  ...slotRoutes,
  ...otaRoutes,
  ...apiKeyRoutes,
  ...tariffRoutes,
  ...insuranceRoutes,
  ...passRoutes,
  ...purchaseRoutes,
  ...tripRoutes,
  ...newBookingRoutes,
  ...bookingRoutes,
  ...paymentRoutes,
  ...adminPaymentRoutes,
  ...commissionRoutes,
  ...payoutRoutes,
  ...ledgerRoutes,
  ...funnelRoutes,
  ...paymentSettingsRoutes,
  ...paymentMethodRoutes,
  ...reconciliationRoutes,
  ...auditRoutes,
  ...projectionRoutes,
];
