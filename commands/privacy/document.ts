/** All that is held about a person, as the text of one JSON document, made while it is read. */
import { readSections, type Section } from '../../infra/personalSections.ts';
import type { Pool } from '../../infra/postgres.ts';

/** Rises when a section is renamed or means something else; new sections and fields do not raise it. */
export const EXPORT_VERSION = 1;

const ROWS_A_CHUNK = 100;

/** The text of a JSON array, some rows at a time. */
const arrayText = async function* (rows: AsyncIterable<object>): AsyncGenerator<string> {
  let chunk: string[] = [];
  let isFirst = true;
  const text = () => {
    const made = `${isFirst ? '' : ','}${chunk.join(',')}`;
    isFirst = false;
    chunk = [];
    return made;
  };
  for await (const row of rows) {
    chunk.push(JSON.stringify(row));
    if (chunk.length === ROWS_A_CHUNK) yield text();
  }
  if (chunk.length > 0) yield text();
};

/** Holds a connection to the database until it was read to its end. @param at RFC 3339 */
export const documentText = async function* (
  { pool, personalData }: { readonly pool: Pool; readonly personalData: readonly Section[] },
  person: string,
  at: string,
): AsyncGenerator<string> {
  const head = { schema_version: EXPORT_VERSION, exported_at: at, account_id: person };
  yield `${JSON.stringify(head).slice(0, -1)},"data":{`;
  let isFirst = true;
  for await (const { name, rows } of readSections(pool, personalData, person)) {
    yield `${isFirst ? '' : ','}${JSON.stringify(name)}:[`;
    isFirst = false;
    yield* arrayText(rows);
    yield ']';
  }
  yield '}}\n';
};
