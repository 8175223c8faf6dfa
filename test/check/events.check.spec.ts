/** Event types and shapes are storage format: this is what has been written to logs, and must be read for ever. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aggregates, allEvents } from '../../domain/modules.ts';
import { models } from '../../projections/modules.ts';
import { expectAllUpcasts } from '../kit/golden.ts';

const GOLDEN = path.resolve(import.meta.dirname, 'events.golden.json');

/** Type → version and shape. A changed line needs a new version with an upcaster; a removed one is never right. */
const shapes = Object.fromEntries(
  Object.entries(allEvents)
    .map(([type, { data, ...rest }]) => {
      const { person, upcast } = rest as { person?: string; upcast?: readonly unknown[] };
      return [
        type,
        { version: (upcast?.length ?? 0) + 1, ...(person && { person }), data: JSON.parse(JSON.stringify(data)) },
      ] as const;
    })
    .toSorted(([a], [b]) => a.localeCompare(b)),
);

describe('stored events', () => {
  it('have the shapes of the golden file (UPDATE_GOLDEN=1 records new ones)', () => {
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, `${JSON.stringify(shapes, null, 2)}\n`);
    expect(shapes).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
  });

  it('are still read in each of their older versions, of which there is a golden file', () => {
    expectAllUpcasts(path.resolve(import.meta.dirname, 'golden'), allEvents);
  });

  it('belong to one aggregate each, whose category has no dash', () => {
    const declared = aggregates.flatMap((aggregate) => Object.keys(aggregate.events));
    expect(new Set(declared).size).toBe(declared.length);
    expect(declared.toSorted()).toEqual(Object.keys(allEvents).toSorted());
    for (const { category } of aggregates) expect(category).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it('are known to the read models that handle them', () => {
    for (const model of models)
      for (const type of model.handlers.keys()) expect(Object.keys(allEvents), model.name).toContain(type);
  });
});
