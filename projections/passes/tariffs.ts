/** Ski pass tariffs, including closed ones. */
import { sql } from 'kysely';
import { SkiPassTariffDetails, tariffDefaults } from '../../domain/passes/tariff.ts';
import { BY_NAME, listingModel } from '../catalog/listings.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { filtersOf, type ReadDb, rowColumns, tables } from '../engine/readDb.ts';
import type { RowOf } from '../engine/readModel.ts';

export const skiPassTariffs = listingModel('ski_pass_tariffs', {
  isOfResort: true,
  name: 'SkiPassTariff',
  version: 4,
  details: SkiPassTariffDetails,
  defaults: tariffDefaults,
  searched: ['name', 'description'],
  folded: {},
  indexes: [BY_NAME],
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
    .select(rowColumns(skiPassTariffs))
    .where((q) => q.and(equal));
  return pageOf(db, matching.orderBy('price_minor').orderBy(sql`folded_name`).orderBy('id'), paging);
};

const MOST_ALIKE = 50;

/** Published tariffs for one person with as many units in as many days as this family tariff; none of another tariff. */
export const tariffsLike = async (db: ReadDb, tariffId: string): Promise<string[]> => {
  const rows = await tables(db, skiPassTariffs)
    .selectFrom('ski_pass_tariffs as single')
    .innerJoin('ski_pass_tariffs as family', (join) =>
      join
        .onRef('family.duration', '=', 'single.duration')
        .onRef('family.within_days', '=', 'single.within_days')
        .onRef('family.currency', '=', 'single.currency'),
    )
    .where('family.id', '=', tariffId)
    .where('family.age_group', '=', 'family')
    .where('single.age_group', '!=', 'family')
    .where('single.status', '=', 'published')
    .select('single.id')
    .orderBy('single.price_minor')
    .orderBy('single.id')
    .limit(MOST_ALIKE)
    .execute();
  return rows.map(({ id }) => id);
};
