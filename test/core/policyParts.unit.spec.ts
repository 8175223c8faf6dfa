/** Which part of a policy gets which stream, and where it continues. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { policy } from '../../commands/core/policy.ts';
import { partsOf, startOf } from '../../commands/core/policyParts.ts';

const watching = policy('watching', { CapacitySet: async () => undefined });
const event = (stream: string, type = 'CapacitySet') => ({ type, stream });

describe('the parts of a policy', () => {
  it('have names that stay, and one alone the name of the policy', () => {
    const names = (of: number) => partsOf([watching], of).map(({ consumer }) => consumer);
    expect(names(1)).toEqual(['policy:watching']);
    expect(names(3)).toEqual(['policy:watching:1/3', 'policy:watching:2/3', 'policy:watching:3/3']);
  });

  it('share the streams: each has its own, always the same', () => {
    const streams = Array.from({ length: 1_000 }, () => `inventory-${randomUUID()}`);
    for (const of of [1, 2, 3, 8]) {
      const parts = partsOf([watching], of);
      for (const stream of streams) expect(parts.filter((part) => part.takes(event(stream)))).toHaveLength(1);
      for (const part of parts) {
        const share = streams.filter((stream) => part.takes(event(stream))).length;
        expect(share).toBeGreaterThan((0.7 * streams.length) / of);
      }
    }
  });

  it('keep their streams from release to release', () => {
    const streams = ['booking-1', 'booking-2', 'inventory-a', 'payment-é'];
    const places = streams.map((stream) => partsOf([watching], 4).findIndex((part) => part.takes(event(stream))));
    expect(places).toEqual([2, 3, 1, 3]);
  });

  it('take only events that the policy has a handler for', () => {
    expect(partsOf([watching], 1)[0]?.takes(event('inventory-1', 'HoldPlaced'))).toBe(false);
  });
});

describe('a part continues', () => {
  const handled = (checkpoints: Record<string, bigint>) =>
    new Map(
      Object.entries(checkpoints).map(([name, commit]) => [
        name,
        { position: { commit, prepare: commit }, event: undefined },
      ]),
    );
  const start = (consumer: string, checkpoints: Record<string, bigint>) =>
    startOf({ consumer, policy: watching }, handled(checkpoints))?.commit ?? null;

  it('at the beginning where nothing was handled, whatever others have handled', () => {
    expect(start('policy:watching', { 'policy:watching_more': 7n, 'policy:other': 8n, 'read-models': 9n })).toBeNull();
  });

  it('at its own checkpoint', () => {
    expect(start('policy:watching', { 'policy:watching': 5n })).toBe(5n);
  });

  it('where the whole policy had got to before it was divided', () => {
    expect(start('policy:watching:2/4', { 'policy:watching': 5n })).toBe(5n);
    expect(start('policy:watching:2/4', { 'policy:watching': 5n, 'policy:watching:2/4': 8n })).toBe(8n);
  });

  it('where the last of the former parts had got to', () => {
    const former = { 'policy:watching': 1n, 'policy:watching:1/2': 9n, 'policy:watching:2/2': 7n };
    expect(start('policy:watching', former)).toBe(7n);
    expect(start('policy:watching:3/3', former)).toBe(7n);
  });

  it('not where only some of the former parts had got to', () => {
    expect(start('policy:watching', { 'policy:watching': 1n, 'policy:watching:1/2': 9n })).toBe(1n);
  });
});
