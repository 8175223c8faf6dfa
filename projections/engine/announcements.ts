/**
 * Tells other processes which rows changed, so that what they keep in memory follows. A notification is sent at commit
 * and before that of the new position: who has heard of a position has heard of all rows that changed before it.
 */

import type { Json, ReadModel } from './readModel.ts';
import type { Statements } from './statementsInTurn.ts';

/** NOTIFY channel. The payload is the model's name, then one line for each change; no line: any row may have changed. */
export const ROWS_CHANNEL = 'rows';

/** Postgres refuses 8,000 bytes. */
const MAX_PAYLOAD = 7_000;
/** After this many, reading everything again costs less. */
const MAX_PAYLOADS = 16;

/** The payloads that announce these changes. */
export const payloadsOf = (model: string, lines: readonly string[]): string[] => {
  const payloads: string[] = [];
  let current = model;
  for (const line of lines) {
    if (current !== model && current.length + line.length >= MAX_PAYLOAD) {
      payloads.push(current);
      current = model;
    }
    current += `\n${line}`;
  }
  if (current !== model) payloads.push(current);
  return payloads.length > MAX_PAYLOADS ? [model] : payloads;
};

/** The model of a payload, and its lines. */
export const announced = (payload: string): { readonly model: string; readonly lines: readonly string[] } => {
  const [model = '', ...lines] = payload.split('\n');
  return { model, lines };
};

/** Announces changed rows of a model, if it is one that is followed. */
export const announceRows = async (
  db: Statements,
  { name, announce }: ReadModel,
  keys: readonly Json[],
): Promise<void> => {
  if (!announce || keys.length === 0) return;
  await db.query(`select pg_notify('${ROWS_CHANNEL}', payload) from unnest($1::text[]) as payload`, [
    payloadsOf(name, announce(keys)),
  ]);
};
