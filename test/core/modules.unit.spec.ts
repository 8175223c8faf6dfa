/** What the manifests of the write side add up to. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobs, policies } from '../../commands/modules.ts';
import { type PayableKind, payableKind, payeesOf } from '../../commands/payments/payables.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { aggregates, allEvents } from '../../domain/modules.ts';

const twice = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);

describe('the modules of the write side', () => {
  it('have no two policies of one name, because the name keys the checkpoint', () => {
    expect(policies.length).toBeGreaterThan(5);
    expect(twice(policies.map(({ name }) => name))).toEqual([]);
  });

  it('have no two jobs of one kind, and none of the retry job’s kind', () => {
    expect(jobs.length).toBeGreaterThan(10);
    expect(twice([...jobs.map(({ kind }) => kind), 'policy_retry'])).toEqual([]);
  });

  it('have no two aggregates of one category, and handle only events that exist', () => {
    expect(twice(aggregates.map(({ category }) => category))).toEqual([]);
    for (const { handlers } of policies)
      for (const type of handlers.keys()) expect(Object.keys(allEvents)).toContain(type);
  });
});

const actor = { kind: 'user', id: randomUUID(), role: 'tourist' } as const;
const kindOf = (kind: string, ...fields: string[]): [string, PayableKind] => [
  kind,
  {
    fields,
    payees: async (_actor, field, id) => ({ things: [{ kind, id: `${field} ${id}` }] }),
    find: () => Promise.reject(new Error('not asked for')),
    end: async () => undefined,
    keep: async () => true,
    settle: async () => undefined,
    describe: () => undefined,
  },
];
const port = { payables: new Map([kindOf('booking', 'booking_id', 'trip_id'), kindOf('purchase', 'purchase_id')]) };

describe('what a request pays for', () => {
  it('is found by the one field that it names', async () => {
    expect(await payeesOf(port, actor, { trip_id: 'a', purchase_id: undefined })).toEqual({
      things: [{ kind: 'booking', id: 'trip_id a' }],
    });
    expect(await payeesOf(port, actor, { purchase_id: 'b' })).toEqual({
      things: [{ kind: 'purchase', id: 'purchase_id b' }],
    });
  });

  it.each([
    ['none', {}],
    ['a field that no kind has', { hotel_id: 'a' }],
    ['two fields of one kind', { booking_id: 'a', trip_id: 'b' }],
    ['fields of two kinds', { booking_id: 'a', purchase_id: 'b' }],
  ])('is refused with %s, and the reply lists the fields', (_name, named) => {
    const refused = () => payeesOf(port, actor, named);
    expect(refused).toThrow(Rejected);
    expect(refused).toThrow('booking_id, trip_id, purchase_id');
  });

  it('needs a module that has registered its kind', () => {
    expect(() => payableKind(port, 'membership')).toThrow('membership');
  });
});
