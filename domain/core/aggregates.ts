/** Every aggregate. A new one adds one line. */
import { account } from '../accounts/account.ts';
import { identity } from '../accounts/identity.ts';
import { roleRequest } from '../accounts/roleRequest.ts';
import { auditLog } from '../audit/auditLog.ts';
import { booking } from '../bookings/booking.ts';
import { trip } from '../bookings/trip.ts';
import { company } from '../catalog/company.ts';
import { hotel } from '../catalog/hotel.ts';
import { instructor } from '../catalog/instructor.ts';
import { inventory } from '../catalog/inventory.ts';
import { restaurant } from '../catalog/restaurant.ts';
import { room } from '../catalog/room.ts';
import { tour } from '../catalog/tour.ts';
import { transfer } from '../catalog/transfer.ts';
import { commissionRules } from '../commissions/commissionRules.ts';
import { ownerAccount } from '../ledger/ownerAccount.ts';
import { apiKey } from '../partners/apiKey.ts';
import { skiPassTariff } from '../passes/tariff.ts';
import { payment } from '../payments/payment.ts';
import { paymentSettings } from '../payments/paymentSettings.ts';
import { reconciliation } from '../payments/reconciliation.ts';
import { savedMethods } from '../payments/savedMethods.ts';
import { insuranceProduct } from '../purchases/insurance.ts';
import { purchase } from '../purchases/purchase.ts';
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
  savedMethods,
  reconciliation,
  auditLog,
];
