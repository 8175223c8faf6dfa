/** An event that makes its row: it is not looked up, unless an earlier event of the batch needs it. */
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { applyAtOnce } from '../../projections/engine/applyEvents.ts';
import { readModel } from '../../projections/engine/readModel.ts';
import type { Statements } from '../../projections/engine/statementsInTurn.ts';
import { happened } from '../kit/projected.ts';

const AT = '2026-12-01T00:00:00.000Z';
const notes = readModel('notes', {
  version: 1,
  row: Type.Object({ id: Type.String(), text: Type.String() }),
  key: 'id',
  on: {
    Written: { fold: (_: unknown, { streamId: id }: { streamId: string }) => ({ id, text: 'new' }), makesRow: true },
    Changed: (row: { id: string; text: string }) => ({ ...row, text: `${row.text}, changed` }),
  } as never,
});
const event = (type: string, id: string) => happened('note', id, { type, data: {} } as never, AT);

/** Applies the events to a table in which every note exists. @returns which were loaded, and which were stored */
const apply = async (...events: ReturnType<typeof event>[]) => {
  const loaded: string[] = [];
  let stored: { id: string; text: string }[] = [];
  const query = async (text: string, [json]: [string]) => {
    const rows = JSON.parse(json) as { id: string; text: string }[];
    if (!text.startsWith('select')) stored = rows;
    else loaded.push(...rows.map(({ id }) => id));
    return { rows: text.startsWith('select') ? rows.map(({ id }) => ({ id, text: 'old' })) : [] };
  };
  const db = { query } as unknown as Statements;
  await applyAtOnce(db, { model: notes, table: 'notes' }, { events, erased: new Map() }, new Map());
  return { loaded, stored };
};

it('asks the database nothing where all rows are new', async () => {
  expect(await apply(event('Written', '1'), event('Changed', '1'))).toEqual({
    loaded: [],
    stored: [{ id: '1', text: 'new, changed' }],
  });
});

it('loads the rows of the other events', async () => {
  expect(await apply(event('Changed', '2'), event('Written', '1'), event('Changed', '1'))).toEqual({
    loaded: ['2'],
    stored: [
      { id: '2', text: 'old, changed' },
      { id: '1', text: 'new, changed' },
    ],
  });
});
