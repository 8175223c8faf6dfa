/** Everything that can be recorded, collected from the aggregates that declare it. A new aggregate adds one line. */
import { accountEvents } from '../accounts/account.ts';
import { identityEvents } from '../accounts/identity.ts';
import { roleRequestEvents } from '../accounts/roleRequest.ts';
import { auditLogEvents } from '../audit/auditLog.ts';
import { bookingEvents } from '../bookings/booking.ts';
import { tripEvents } from '../bookings/trip.ts';
import { companyEvents } from '../catalog/company.ts';
import { hotelEvents } from '../catalog/hotel.ts';
import { instructorEvents } from '../catalog/instructor.ts';
import { inventoryEvents } from '../catalog/inventory.ts';
import { restaurantEvents } from '../catalog/restaurant.ts';
import { roomEvents } from '../catalog/room.ts';
import { tourEvents } from '../catalog/tour.ts';
import { transferEvents } from '../catalog/transfer.ts';
import { commissionRulesEvents } from '../commissions/commissionRules.ts';
import { ownerAccountEvents } from '../ledger/ownerAccount.ts';
import { apiKeyEvents } from '../partners/apiKey.ts';
import { skiPassTariffEvents } from '../passes/tariff.ts';
import { paymentEvents } from '../payments/payment.ts';
import { paymentSettingsEvents } from '../payments/paymentSettings.ts';
import { reconciliationEvents } from '../payments/reconciliation.ts';
import { savedMethodsEvents } from '../payments/savedMethods.ts';
import { insuranceProductEvents } from '../purchases/insurance.ts';
import { purchaseEvents } from '../purchases/purchase.ts';
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
  ...savedMethodsEvents,
  ...reconciliationEvents,
  ...auditLogEvents,
} as const;

export type DomainEvent = EventsOf<typeof allEvents>;
export type EventType = DomainEvent['type'];
export type EventOf<T extends EventType> = Extract<DomainEvent, { type: T }>;
