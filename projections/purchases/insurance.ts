/** Insurance products, including closed ones. */
import { sql } from 'kysely';
import { InsuranceProductDetails } from '../../domain/purchases/insurance.ts';
import { BY_NAME, listingModel } from '../catalog/listings.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { filtersOf, type ReadDb, rowColumns, tables } from '../engine/readDb.ts';
import type { RowOf } from '../engine/readModel.ts';

export const insuranceProducts = listingModel('insurance_products', {
  isOfResort: true,
  name: 'InsuranceProduct',
  details: InsuranceProductDetails,
  version: 3,
  searched: ['name', 'description'],
  folded: {},
  indexes: [BY_NAME],
});
export type InsuranceProductRow = RowOf<typeof insuranceProducts>;

export interface InsuranceFilter extends Paging {
  readonly status?: InsuranceProductRow['status'] | undefined;
}

/** The cheapest first. */
export const listInsurance = (
  db: ReadDb,
  { status, ...paging }: InsuranceFilter,
): Promise<Page<InsuranceProductRow>> => {
  const equal = filtersOf({ status });
  const matching = tables(db, insuranceProducts)
    .selectFrom('insurance_products')
    .select(rowColumns(insuranceProducts))
    .where((q) => q.and(equal));
  return pageOf(db, matching.orderBy('price_per_person_day_minor').orderBy(sql`folded_name`).orderBy('id'), paging);
};
