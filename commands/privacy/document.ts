/** All that is held about a person, as the text of one JSON document, made while it is read. */
import { readSections } from '../../infra/exportSections.ts';
import type { CoreDeps } from '../core/deps.ts';

/** Rises when a section is renamed or means something else; new sections and fields do not raise it. */
export const EXPORT_VERSION = 1;

/** A piece of the document is this long, in characters, and a row longer at most. */
export const PIECE_CHARS = 65_536;

/** The text of a JSON array, a piece at a time. */
const arrayText = async function* (rows: AsyncIterable<object>): AsyncGenerator<string> {
  let piece = '';
  let separator = '';
  for await (const row of rows) {
    piece += separator + JSON.stringify(row);
    separator = ',';
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
};

/**
 * Holds a connection to the database until it was read to its end, or ended (`return`). The next piece is made when it is
 * asked for. @param at RFC 3339
 */
export const documentText = async function* (
  { patientPool, exportSections, store, codec }: Pick<CoreDeps, 'patientPool' | 'exportSections' | 'store' | 'codec'>,
  person: string,
  at: string,
): AsyncGenerator<string> {
  const head = { schema_version: EXPORT_VERSION, exported_at: at, account_id: person };
  yield `${JSON.stringify(head).slice(0, -1)},"data":{`;
  let isFirst = true;
  for await (const { name, rows } of readSections(patientPool, exportSections, { person, log: { store, codec } })) {
    yield `${isFirst ? '' : ','}${JSON.stringify(name)}:[`;
    isFirst = false;
    yield* arrayText(rows);
    yield ']';
  }
  yield '}}\n';
};
