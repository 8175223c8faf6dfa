/** Models that only insert: no two events have a row in common, so that rows need not be looked up. */
import { expect, it } from 'vitest';
import type { Recorded } from '../../domain/core/decider.ts';
import { models } from '../../projections/modules.ts';

const insertOnly = models.filter((model) => model.insertOnly);

/** Two events that have everything in common but what no two events of a log share. */
const twins = (type: string): [Recorded, Recorded] => {
  const at = '2026-12-01T00:00:00.000Z';
  const meta = {
    correlationId: 'c',
    causationId: 'c',
    commandId: 'c',
    actor: { kind: 'system', id: 'test', role: 'system' },
    ip: null,
    at,
  } as const;
  const data = { source: 'manual', currency: 'RUB', postings: [{ account: 'a', amountMinor: 1 }] };
  const event = (n: number): Recorded => ({
    type,
    data,
    id: `event-${n}`,
    stream: 'payment-1',
    category: 'payment',
    streamId: '1',
    revision: BigInt(n),
    position: { commit: BigInt(n), prepare: BigInt(n) },
    at,
    meta,
  });
  return [event(1), event(2)];
};

it('are the index of the log, the reads of content, the lines of the ledger and of revenue, the answers about consents, the changes of the resort and the scans of passes', () => {
  expect(insertOnly.map(({ name }) => name)).toEqual([
    'consent_records',
    'resort_changes',
    'audit_events',
    'content_reads',
    'pass_scans',
    'ledger_entries',
    'revenue_lines',
  ]);
});

it.each(insertOnly.map((model) => [model.name, model] as const))(
  '%s has rows of its own for each event',
  (_, model) => {
    for (const [type, handler] of model.handlers) {
      const [one, other] = twins(type).map((event) => handler.keys(event).map((key) => JSON.stringify(key)));
      expect(one?.length).toBeGreaterThan(0);
      expect(other?.filter((key) => one?.includes(key))).toEqual([]);
    }
  },
);
