/** The calls of a person, on either side, as they may see them: one that found them busy while blocked never reached them. */
import type { ExportSection } from '../../infra/exportSections.ts';
import { ownForm } from '../engine/personalRows.ts';
import { quoted, tableName } from '../engine/readDb.ts';
import { columnsOf } from '../engine/tables.ts';
import { type CallRow, calls } from './calls.ts';

export const ownCalls: ExportSection = {
  name: calls.name,
  text: `select ${columnsOf(calls).map(quoted).join(', ')} from ${tableName(calls.name)}
    where caller_id = $1 or callee_id = $1 and not is_hidden`,
  show: (row) => calls.wire.of(row as CallRow, 'guest'),
  schema: ownForm(calls),
};
