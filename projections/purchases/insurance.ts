/** Insurance products, including closed ones. */
import { InsuranceProductDetails } from '../../domain/purchases/insurance.ts';
import { listingModel } from '../catalog/listings.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import type { RowOf } from '../engine/readModel.ts';

export const insuranceProducts = listingModel('insurance_products', {
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
  const asked = Object.entries({ status }).filter(([, value]) => value !== undefined);
  const matching = tables(db, insuranceProducts)
    .selectFrom('insurance_products')
    .selectAll()
    .where((q) => q.and(Object.fromEntries(asked)));
  return pageOf(db, matching.orderBy('price_per_person_day_minor').orderBy('name').orderBy('id'), paging);
};
