/** All that is held about the caller, as one JSON document that is sent while it is read. */

import { Rejected } from '../../domain/core/decider.ts';
import { readSections } from '../../infra/personalSections.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import { Streamed, StreamOf } from '../http/streamed.ts';

/** Rises when a section is renamed or means something else; new sections and fields do not raise it. */
export const EXPORT_VERSION = 1;

/** Each holds a connection to the database until its reader has taken it. */
const AT_ONCE = 2;
let running = 0;

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

const documentText = async function* ({ pool, personalData }: App, person: string, at: string): AsyncGenerator<string> {
  const head = { schema_version: EXPORT_VERSION, exported_at: at, account_id: person };
  running += 1;
  try {
    yield `${JSON.stringify(head).slice(0, -1)},"data":{`;
    let isFirst = true;
    for await (const { name, rows } of readSections(pool, personalData, person)) {
      yield `${isFirst ? '' : ','}${JSON.stringify(name)}:[`;
      isFirst = false;
      yield* arrayText(rows);
      yield ']';
    }
    yield '}}\n';
  } finally {
    running -= 1;
  }
};

export const exportRoute = route('GET /api/v1/me/export', {
  id: 'exportMe',
  access: 'user',
  rate: 'money',
  freshProof: true,
  summary: 'Export everything that is held about you',
  description: `One JSON document: \`schema_version\` (${EXPORT_VERSION}), \`exported_at\`, \`account_id\` and \`data\`. \`data\` has a list for each section: one for each read model and durable table that holds something about people, and \`messages_received\` with what others sent to you. All sections are of one instant. Files and tracks are listed with their ids; download them with their own operations.`,
  reply: StreamOf('application/json'),
  errors: ['too_many_attempts'],
  handle: ({ caller, context }, app) => {
    if (running >= AT_ONCE)
      throw new Rejected('too_many_attempts', 'Other exports are running. Try again in a minute.', {
        retry_after_s: 60,
      });
    return new Streamed('my-data.json', documentText(app, caller.id, context.at));
  },
});
