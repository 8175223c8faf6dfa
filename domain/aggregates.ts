/** Every aggregate. A new one adds one line. */
import { account } from './accounts/account.ts';
import { identity } from './accounts/identity.ts';
import { roleRequest } from './accounts/roleRequest.ts';
import { auditLog } from './audit/auditLog.ts';
import { booking } from './bookings/booking.ts';
import { commissionRules } from './bookings/commissionRules.ts';
import { inventory } from './bookings/inventory.ts';
import { ownerAccount } from './bookings/ownerAccount.ts';
import { payment } from './bookings/payment.ts';
import { paymentSettings } from './bookings/paymentSettings.ts';
import { purchase } from './bookings/purchase.ts';
import { reconciliation } from './bookings/reconciliation.ts';
import { trip } from './bookings/trip.ts';
import { wallet } from './bookings/wallet.ts';
import { apiKey } from './catalog/apiKey.ts';
import { company } from './catalog/company.ts';
import { hotel } from './catalog/hotel.ts';
import { instructor } from './catalog/instructor.ts';
import { insuranceProduct, skiPassTariff } from './catalog/product.ts';
import { restaurant } from './catalog/restaurant.ts';
import { room } from './catalog/room.ts';
import { tour } from './catalog/tour.ts';
import { transfer } from './catalog/transfer.ts';
import type { AnyEvent, EventDeclarations } from './decider.ts';

/** As much of a decider as replaying takes, whatever its state is. */
export interface Aggregate {
  readonly category: string;
  readonly events: EventDeclarations;
  readonly initial: unknown;
  evolve(state: unknown, event: AnyEvent): unknown;
}

export const aggregates: readonly Aggregate[] = [
  account,
  identity,
  roleRequest,
  hotel,
  room,
  tour,
  restaurant,
  transfer,
  instructor,
  company,
  skiPassTariff,
  insuranceProduct,
  apiKey,
  inventory,
  booking,
  payment,
  purchase,
  trip,
  commissionRules,
  ownerAccount,
  paymentSettings,
  wallet,
  reconciliation,
  auditLog,
];
