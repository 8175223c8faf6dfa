/** What is held about a person in stores of a spec, section by section: as the export shows it. */
import { type ExportSection, tableSections } from '../../infra/exportSections.ts';
import type { Migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { modelSections } from '../../projections/engine/personalRows.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';

const rowsOf = async (
  db: Queryable,
  sections: readonly ExportSection[],
  person: string,
): Promise<Record<string, readonly object[]>> => {
  const found: Record<string, readonly object[]> = {};
  for (const { name, text, show } of sections) {
    const { rows } = await db.query<object>(text, [person]);
    if (rows.length > 0) found[name] = rows.map(show);
  }
  return found;
};

/** Durable table → the person's rows; only tables with some. */
export const inTables = (db: Queryable, declared: readonly Migrations[], person: string) =>
  rowsOf(db, tableSections(declared), person);

/** Read model → the person's rows; only models with some. */
export const inModels = (db: Queryable, models: readonly ReadModel[], person: string) =>
  rowsOf(db, modelSections(models), person);
