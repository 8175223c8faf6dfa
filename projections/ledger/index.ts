/** The read models of ledger. */
import type { ReadModel } from '../engine/readModel.ts';
import { adjustments } from './adjustments.ts';
import { balances } from './balances.ts';
import { ledgerDays } from './days.ts';
import { ledgerEntries } from './entries.ts';
import { payouts } from './payouts.ts';
import { refundReservations } from './reservations.ts';

export const readModels: readonly ReadModel[] = [
  ledgerEntries,
  ledgerDays,
  balances,
  payouts,
  adjustments,
  refundReservations,
];
