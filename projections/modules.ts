/** Every read model, and the tables that queries see. A new one adds two lines. */
import type { Kysely } from 'kysely';
import { kysely, type Pool } from '../infra/postgres.ts';
import { type AccountRow, accounts } from './accounts/accounts.ts';
import { type RoleRequestRow, roleRequests } from './accounts/roleRequests.ts';
import { type AuditEventRow, auditEvents } from './audit/auditEvents.ts';
import { type BookingRow, bookings } from './bookings/bookings.ts';
import { type TripRow, trips } from './bookings/trips.ts';
import { type HotelRow, hotels } from './catalog/hotels.ts';
import {
  type CompanyRow,
  companies,
  type InstructorRow,
  instructors,
  type RestaurantRow,
  restaurants,
  type TourRow,
  type TransferRow,
  tours,
  transfers,
} from './catalog/listings.ts';
import { type RoomNightRow, roomNights } from './catalog/roomNights.ts';
import { type RoomRow, rooms } from './catalog/rooms.ts';
import { type SlotHoldRow, slotHolds } from './catalog/slotHolds.ts';
import { type TitleRow, titles } from './catalog/titles.ts';
import { type CommissionRuleRow, commissionRules } from './commissions/commissionRules.ts';
import type { ReadModel } from './engine/readModel.ts';
import { READ_SCHEMA } from './engine/tables.ts';
import { type BalanceRow, balances } from './ledger/balances.ts';
import { type LedgerEntryRow, ledgerEntries } from './ledger/entries.ts';
import { type PayoutRow, payouts } from './ledger/payouts.ts';
import { type ApiKeyRow, apiKeys } from './partners/apiKeys.ts';
import { type SkiPassTariffRow, skiPassTariffs } from './passes/tariffs.ts';
import { type PaymentMethodRow, paymentMethods } from './payments/paymentMethods.ts';
import { type PaymentSettingsRow, paymentSettings } from './payments/paymentSettings.ts';
import { type PaymentRow, payments } from './payments/payments.ts';
import {
  type DifferenceRow,
  paymentDifferences,
  type ReconciliationRow,
  reconciliations,
} from './payments/reconciliations.ts';
import { type InsuranceProductRow, insuranceProducts } from './purchases/insurance.ts';
import { type PurchaseRow, purchases } from './purchases/purchases.ts';

export const models: readonly ReadModel[] = [
  accounts,
  roleRequests,
  hotels,
  rooms,
  roomNights,
  tours,
  restaurants,
  transfers,
  instructors,
  companies,
  skiPassTariffs,
  insuranceProducts,
  slotHolds,
  titles,
  apiKeys,
  bookings,
  payments,
  commissionRules,
  ledgerEntries,
  balances,
  payouts,
  paymentSettings,
  purchases,
  trips,
  paymentMethods,
  reconciliations,
  paymentDifferences,
  auditEvents,
];

/** Table → row, in the schema `read`. */
export interface ReadTables {
  accounts: AccountRow;
  role_requests: RoleRequestRow;
  hotels: HotelRow;
  rooms: RoomRow;
  room_nights: RoomNightRow;
  tours: TourRow;
  restaurants: RestaurantRow;
  transfers: TransferRow;
  instructors: InstructorRow;
  companies: CompanyRow;
  ski_pass_tariffs: SkiPassTariffRow;
  insurance_products: InsuranceProductRow;
  slot_holds: SlotHoldRow;
  titles: TitleRow;
  api_keys: ApiKeyRow;
  bookings: BookingRow;
  payments: PaymentRow;
  commission_rules: CommissionRuleRow;
  ledger_entries: LedgerEntryRow;
  balances: BalanceRow;
  payouts: PayoutRow;
  payment_settings: PaymentSettingsRow;
  purchases: PurchaseRow;
  trips: TripRow;
  payment_methods: PaymentMethodRow;
  reconciliations: ReconciliationRow;
  payment_differences: DifferenceRow;
  audit_events: AuditEventRow;
}
export type ReadDb = Kysely<ReadTables>;

export const readDb = (pool: Pool): ReadDb => kysely<ReadTables>(pool).withSchema(READ_SCHEMA);
