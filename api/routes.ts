/** Every route. A new module adds its list here. */
import { adminPaymentRoutes } from './adminPayments.ts';
import { apiKeyRoutes } from './apiKeys.ts';
import { auditRoutes } from './audit.ts';
import { authRoutes } from './auth.ts';
import { bookingRoutes } from './bookings.ts';
import { commissionRoutes } from './commissions.ts';
import { funnelRoutes } from './funnel.ts';
import { hotelRoutes } from './hotels.ts';
import { ledgerRoutes } from './ledger.ts';
import { listingRoutes } from './listings.ts';
import { newBookingRoutes } from './newBookings.ts';
import { oauthRoutes } from './oauth.ts';
import { otaRoutes } from './ota.ts';
import { paymentMethodRoutes } from './paymentMethods.ts';
import { paymentSettingsRoutes } from './paymentSettings.ts';
import { paymentRoutes } from './payments.ts';
import { payoutRoutes } from './payouts.ts';
import { productRoutes } from './products.ts';
import { projectionRoutes } from './projections.ts';
import { purchaseRoutes } from './purchases.ts';
import { reconciliationRoutes } from './reconciliations.ts';
import { roleRequestRoutes } from './roleRequests.ts';
import type { Route } from './route.ts';
import { slotRoutes } from './slots.ts';
import { tripRoutes } from './trips.ts';
import { userRoutes } from './users.ts';

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
  ...productRoutes,
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
