/**
 * The grammar of read model specs:
 *
 *     const rowsAfter = projection(accounts);
 *     expect(rowsAfter([happened('account', id, opened, at), …])).toEqual([{ id, role: 'tourist', … }]);
 *
 * Rows are held against the model's schema, and a spec file fails when an event that the model handles is in none of its
 * specs.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, expect } from 'vitest';
import { type AnyEvent, type Recorded, streamName } from '../../domain/core/decider.ts';
import { explain, validator } from '../../infra/validation.ts';
import type { Json, ReadModel } from '../../projections/engine/readModel.ts';

/** An event as it is read back. */
export const happened = <E extends AnyEvent>(
  category: string,
  streamId: string,
  event: E,
  at: string,
): Recorded<E> => ({
  ...event,
  id: randomUUID(),
  stream: streamName(category, streamId),
  category,
  streamId,
  revision: 0n,
  position: { commit: 0n, prepare: 0n },
  at,
  meta: {
    correlationId: randomUUID(),
    causationId: randomUUID(),
    commandId: randomUUID(),
    actor: { kind: 'system', id: 'test', role: 'system' },
    ip: null,
    at,
  },
});

/** Call once a spec file for each model: gives the model's rows after some events, in the order they came to be. */
export const projection = (model: ReadModel) => {
  const valid = validator(model.row);
  const seen = new Set<string>();
  afterAll(() => {
    const unseen = [...model.handlers.keys()].filter((type) => !seen.has(type));
    expect(unseen, `events of ${model.name} that no spec has`).toEqual([]);
  });

  return (events: readonly Recorded[]): Json[] => {
    const rows = new Map<string, Json>();
    for (const event of events) {
      seen.add(event.type);
      const handler = model.handlers.get(event.type);
      for (const key of handler?.keys(event) ?? []) {
        const name = JSON.stringify(model.key.map((column) => key[column]));
        const row = handler?.fold(rows.get(name), event, key) ?? null;
        if (row === null) rows.delete(name);
        else if (valid(row)) rows.set(name, row);
        else throw new Error(`${event.type} makes a row that is none: ${explain(valid.errors)}`);
      }
    }
    return [...rows.values()];
  };
};
