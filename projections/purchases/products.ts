/** What the resort itself sells, closed things included: ski pass tariffs and insurance. */
import { InsuranceProductDetails, SkiPassTariffDetails } from '../../domain/purchases/product.ts';
import { listingModel } from '../catalog/listings.ts';
import { type Page, pageOf } from '../engine/paging.ts';
import type { RowOf } from '../engine/readModel.ts';
import type { ReadDb } from '../modules.ts';

const searched = 'name, description';
const indexes = ['status, name, id'];

export const skiPassTariffs = listingModel('ski_pass_tariffs', {
  name: 'SkiPassTariff',
  details: SkiPassTariffDetails,
  searched,
  indexes,
});
export const insuranceProducts = listingModel('insurance_products', {
  name: 'InsuranceProduct',
  details: InsuranceProductDetails,
  searched,
  indexes,
});
export type SkiPassTariffRow = RowOf<typeof skiPassTariffs>;
export type InsuranceProductRow = RowOf<typeof insuranceProducts>;

export interface ProductFilter {
  readonly status?: SkiPassTariffRow['status'] | undefined;
  readonly page: number;
  readonly perPage: number;
}

/** The cheapest first. */
export const listTariffs = (
  db: ReadDb,
  { status, ageGroup, page, perPage }: ProductFilter & { ageGroup?: SkiPassTariffRow['age_group'] | undefined },
): Promise<Page<SkiPassTariffRow>> => {
  const asked = Object.entries({ status, age_group: ageGroup }).filter(([, value]) => value !== undefined);
  const matching = db
    .selectFrom('ski_pass_tariffs')
    .selectAll()
    .where((q) => q.and(Object.fromEntries(asked)));
  return pageOf(matching.orderBy('price_minor').orderBy('name').orderBy('id'), { page, perPage });
};

/** The cheapest first. */
export const listInsurance = (
  db: ReadDb,
  { status, page, perPage }: ProductFilter,
): Promise<Page<InsuranceProductRow>> => {
  const asked = Object.entries({ status }).filter(([, value]) => value !== undefined);
  const matching = db
    .selectFrom('insurance_products')
    .selectAll()
    .where((q) => q.and(Object.fromEntries(asked)));
  return pageOf(matching.orderBy('price_per_person_day_minor').orderBy('name').orderBy('id'), { page, perPage });
};
