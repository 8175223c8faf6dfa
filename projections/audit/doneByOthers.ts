/**
 * What others have done to a person's data, for their export: events about the person or in the streams of their rows, and
 * reads of either in the audit log. It says in which role somebody acted, never who: that is somebody else's data.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import { Instant, Nullable } from '../../domain/core/schema.ts';
import { aggregates } from '../../domain/modules.ts';
import type { ExportSection } from '../../infra/exportSections.ts';
import { quoted, tableName } from '../engine/readDb.ts';
import type { ReadModel } from '../engine/readModel.ts';
import { columnType } from '../engine/tables.ts';
import { auditEvents } from './auditEvents.ts';

/** Category → the types of its events that a model handles. */
const handledBy = (model: ReadModel): [category: string, types: string[]][] =>
  aggregates.flatMap(({ category, events }): [string, string[]][] => {
    const types = Object.keys(events).filter((type) => model.handlers.has(type));
    return types.length === 0 ? [] : [[category, types]];
  });

/** The streams of a person's rows, as queries. A key that is no id of a stream finds nothing. */
const streamsOf = (model: ReadModel): string[] => {
  const [key, ...more] = model.key;
  const whose = model.personalData?.whose;
  if (!whose || key === undefined || more.length > 0 || model.name === auditEvents.name) return [];
  const type = columnType(model.row.properties[whose] as TSchema);
  return handledBy(model).map(
    ([category, types]) =>
      `select '${category}-' || ${quoted(key)}, ${quoted(key)}::text, array['${types.join("','")}']
       from ${tableName(model.name)} where ${quoted(whose)} = $1::text::${type}`,
  );
};

const log = tableName(auditEvents.name);

/** @param models whose rows may be the person's */
export const doneByOthers = (models: readonly ReadModel[]): ExportSection => ({
  name: 'done_by_others',
  text: `with mine (stream, id, types) as (${models.flatMap(streamsOf).join(' union all ')}),
    found as (
      select e.* from mine join ${log} e on e.stream = mine.stream and e.type = any(mine.types)
      union select e.* from mine join ${log} e on e.about = mine.id and e.type = 'AuditRead'
      union select e.* from ${log} e where e.about = $1::text
    )
    select at, type, case when type not in ('AuditRead', 'ContentShown') then stream end as stream, actor_kind, actor_role
    from found where actor_id <> $1::text order by commit, prepare`,
  show: (row) => row,
  schema: Type.Object({
    at: Instant,
    type: Type.String({ description: 'The type of the event, such as `BookingCancelled`.' }),
    stream: Nullable(
      Type.String({ description: 'What it happened to, as `<kind>-<id>`; null: somebody read the log.' }),
    ),
    actor_kind: Type.String({ description: '`system`: a rule of the platform, without a person.' }),
    actor_role: Type.String({ description: 'In which role somebody acted, such as `admin`.' }),
  }),
});
