/** Insurance products, including closed ones. */
import { InsuranceProductDetails } from '../../domain/purchases/insurance.ts';
import { listingModel } from '../catalog/listings.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { filtersOf, type ReadDb, tables } from '../engine/readDb.ts';
import type { RowOf } from '../engine/readModel.ts';

export const insuranceProducts = listingModel('insurance_products', {
  isOfResort: true,
  name: 'InsuranceProduct',
  details: InsuranceProductDetails,
  searched: 'name, description',
  indexes: ['status, name, id'],
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
    .selectAll()
    .where((q) => q.and(equal));
  return pageOf(db, matching.orderBy('price_per_person_day_minor').orderBy('name').orderBy('id'), paging);
};
