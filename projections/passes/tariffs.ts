/** Ski pass tariffs, including closed ones. */
import { SkiPassTariffDetails, tariffDefaults } from '../../domain/passes/tariff.ts';
import { listingModel } from '../catalog/listings.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { filtersOf, type ReadDb, tables } from '../engine/readDb.ts';
import type { RowOf } from '../engine/readModel.ts';

export const skiPassTariffs = listingModel('ski_pass_tariffs', {
  isOfResort: true,
  name: 'SkiPassTariff',
  version: 2,
  details: SkiPassTariffDetails,
  defaults: tariffDefaults,
  searched: 'name, description',
  indexes: ['status, name, id'],
});
export type SkiPassTariffRow = RowOf<typeof skiPassTariffs>;

export interface TariffFilter extends Paging {
  readonly status?: SkiPassTariffRow['status'] | undefined;
  readonly ageGroup?: SkiPassTariffRow['age_group'] | undefined;
}

/** The cheapest first. */
export const listTariffs = (
  db: ReadDb,
  { status, ageGroup, ...paging }: TariffFilter,
): Promise<Page<SkiPassTariffRow>> => {
  const equal = filtersOf({ status, age_group: ageGroup });
  const matching = tables(db, skiPassTariffs)
    .selectFrom('ski_pass_tariffs')
    .selectAll()
    .where((q) => q.and(equal));
  return pageOf(db, matching.orderBy('price_minor').orderBy('name').orderBy('id'), paging);
};
