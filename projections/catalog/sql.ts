/** SQL shared by the searches of the catalog. */
import { type RawBuilder, sql } from 'kysely';
import { wordsIn } from '../../domain/core/folded.ts';
import { computed } from '../engine/statements.ts';

export type Sql = RawBuilder<unknown>;
/** `undefined` and `false` are no condition. */
export type Condition = Sql | undefined | false;

export const and = (conditions: readonly Condition[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    [sql`true`, ...conditions.filter((condition) => condition !== undefined && condition !== false)],
    sql` and `,
  )}`;

/** `Edel lod` → `edel:* & lod:*`. */
const prefixQuery = (q: string): string =>
  wordsIn(q)
    .map((word) => `${word}:*`)
    .join(' & ');

/** The words of a column with folded texts, as SQL: what an index of words is made of. */
export const wordsOf = (column: string): string => `to_tsvector('simple', ${column})`;

/** Whether a column with folded texts contains all of these words, each as a whole or as a beginning. */
export const hasWords = (column: string, q: string): Sql =>
  sql`${sql.raw(wordsOf(column))} @@ to_tsquery('simple', ${computed(q, prefixQuery)})`;

/** A place in degrees, and the radius of the search. */
export interface Near {
  readonly lat: number;
  readonly lon: number;
  readonly radiusKm?: number;
}

const EARTH_RADIUS_KM = 6371.0088;

/** Great-circle distance in kilometres to a location (SQL, `jsonb`), by the haversine formula. */
export const kilometresTo = (location: string, { lat, lon }: Near): Sql => {
  const of = (name: string) => sql.raw(`(${location}->>'${name}')::float8`);
  const half = (degrees: Sql) => sql`power(sin(radians(${degrees}) / 2), 2)`;
  return sql`2 * ${EARTH_RADIUS_KM}::float8 * asin(least(1, sqrt(
    ${half(sql`${of('latitude')} - ${lat}::float8`)}
    + cos(radians(${lat}::float8)) * cos(radians(${of('latitude')})) * ${half(sql`${of('longitude')} - ${lon}::float8`)}
  )))`;
};
