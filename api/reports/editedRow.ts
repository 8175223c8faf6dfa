/** The row of a text that was just edited, such as that of a message, before the read model has it. */
import type { EditedText } from '../../commands/reports/authoredText.ts';

interface Row {
  readonly body: string | null;
  readonly mentions: readonly string[];
  readonly edited_at: string | null;
}

/** @param at of the edit, RFC 3339 */
export const editedRow = <R extends Row>(row: R, { body, mentions, isChanged }: EditedText, at: string): R => ({
  ...row,
  body,
  mentions: [...mentions],
  edited_at: isChanged ? at : row.edited_at,
});
