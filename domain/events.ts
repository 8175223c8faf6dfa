/** Everything that can be recorded, collected from the aggregates that declare it. A new aggregate adds one line. */
import { accountEvents } from './accounts/account.ts';
import { identityEvents } from './accounts/identity.ts';
import { roleRequestEvents } from './accounts/roleRequest.ts';
import { auditLogEvents } from './audit/auditLog.ts';
import { bookingEvents } from './bookings/booking.ts';
import { commissionRulesEvents } from './bookings/commissionRules.ts';
import { inventoryEvents } from './bookings/inventory.ts';
import { ownerAccountEvents } from './bookings/ownerAccount.ts';
import { paymentEvents } from './bookings/payment.ts';
import { paymentSettingsEvents } from './bookings/paymentSettings.ts';
import { purchaseEvents } from './bookings/purchase.ts';
import { reconciliationEvents } from './bookings/reconciliation.ts';
import { tripEvents } from './bookings/trip.ts';
import { walletEvents } from './bookings/wallet.ts';
import { apiKeyEvents } from './catalog/apiKey.ts';
import { companyEvents } from './catalog/company.ts';
import { hotelEvents } from './catalog/hotel.ts';
import { instructorEvents } from './catalog/instructor.ts';
import { insuranceProductEvents, skiPassTariffEvents } from './catalog/product.ts';
import { restaurantEvents } from './catalog/restaurant.ts';
import { roomEvents } from './catalog/room.ts';
import { tourEvents } from './catalog/tour.ts';
import { transferEvents } from './catalog/transfer.ts';
import type { EventsOf } from './decider.ts';

export const allEvents = {
  ...accountEvents,
  ...identityEvents,
  ...roleRequestEvents,
  ...hotelEvents,
  ...roomEvents,
  ...tourEvents,
  ...restaurantEvents,
  ...transferEvents,
  ...instructorEvents,
  ...companyEvents,
  ...skiPassTariffEvents,
  ...insuranceProductEvents,
  ...apiKeyEvents,
  ...inventoryEvents,
  ...bookingEvents,
  ...paymentEvents,
  ...purchaseEvents,
  ...tripEvents,
  ...commissionRulesEvents,
  ...ownerAccountEvents,
  ...paymentSettingsEvents,
  ...walletEvents,
  ...reconciliationEvents,
  ...auditLogEvents,
} as const;

export type DomainEvent = EventsOf<typeof allEvents>;
export type EventType = DomainEvent['type'];
export type EventOf<T extends EventType> = Extract<DomainEvent, { type: T }>;
