/** Event types and shapes are storage format: logs contain them, so they must stay readable. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aggregates, allEvents } from '../../domain/modules.ts';
import { auditEvents } from '../../projections/audit/auditEvents.ts';
import { models } from '../../projections/modules.ts';
import { expectAllUpcasts } from '../kit/golden.ts';

const GOLDEN = path.resolve(import.meta.dirname, 'events.golden.json');
/** Of the read model `audit_events`. */
const INDEXED = path.resolve(import.meta.dirname, 'auditIndex.golden.json');

/** Type → version and shape. A changed line needs a new version with an upcaster; never remove one. */
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
  it('have the shapes in the golden file (UPDATE_GOLDEN=1 updates it)', () => {
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, `${JSON.stringify(shapes, null, 2)}\n`);
    expect(shapes).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
  });

  it('can be read in each older version, which has a golden file', () => {
    expectAllUpcasts(path.resolve(import.meta.dirname, 'golden'), allEvents);
  });

  it('are about whom the index of the log says that they are, or it has a higher version (UPDATE_GOLDEN=1 records it)', () => {
    const people = Object.fromEntries(Object.entries(shapes).map(([type, { person = null }]) => [type, person]));
    const now = { version: auditEvents.version, people };
    const before: typeof now = JSON.parse(readFileSync(INDEXED, 'utf8'));
    const others = Object.keys(people).filter((type) => type in before.people && people[type] !== before.people[type]);
    const isNewer = now.version > before.version;
    expect(isNewer ? [] : others, 'raise the version of audit_events: its rows say about whom these are').toEqual([]);
    if (process.env.UPDATE_GOLDEN) writeFileSync(INDEXED, `${JSON.stringify(now, null, 2)}\n`);
    else expect(now).toEqual(before);
  });

  it('belong to one aggregate each, with a category without a dash', () => {
    const declared = aggregates.flatMap((aggregate) => Object.keys(aggregate.events));
    expect(new Set(declared).size).toBe(declared.length);
    expect(declared.toSorted()).toEqual(Object.keys(allEvents).toSorted());
    for (const { category } of aggregates) expect(category).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it('exist for every handler of a read model', () => {
    for (const model of models)
      for (const type of model.handlers.keys()) expect(Object.keys(allEvents), model.name).toContain(type);
  });
});
