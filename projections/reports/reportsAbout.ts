/** Reports of what a person has written, for their export: that there were some, and what came of them. Who reported, and why, is theirs. */
import { Type } from '@sinclair/typebox';
import type { ExportSection } from '../../infra/exportSections.ts';
import { quoted, tableName } from '../engine/readDb.ts';
import type { ReadModel } from '../engine/readModel.ts';
import { reports } from './reports.ts';

const { subject_kind, subject_id, status, action, created_at, resolved_at } = reports.row.properties;
const shown = { subject_kind, subject_id, status, action, created_at, resolved_at };

/** @param models those that say what reports call their rows have a part in it */
export const reportsAbout = (models: readonly ReadModel[]): ExportSection => ({
  name: 'reports_about',
  text: models
    .flatMap(({ name, key: [key = ''], personalData: { whose, reportedAs } = { whose: null } }) =>
      whose === null || reportedAs === undefined
        ? []
        : [
            `select ${Object.keys(shown)
              .map((column) => `r.${quoted(column)}`)
              .join(', ')}
             from ${tableName(name)} w join ${tableName(reports.name)} r
               on r.subject_kind = '${reportedAs}' and r.subject_id = w.${quoted(key)}
             where w.${quoted(whose)} = $1`,
          ],
    )
    .join(' union all '),
  show: (row) => row,
  schema: Type.Object(shown),
});
