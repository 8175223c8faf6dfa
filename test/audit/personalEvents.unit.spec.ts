/** What the log says of a person is read in few reads, and no more of the log than a little around it. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allEvents } from '../../domain/modules.ts';
import type { EventStore, StoredEvent } from '../../eventstore/client/index.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { type Place, readAt } from '../../eventstore/history.ts';
import { onlyAt } from '../../eventstore/personalPaths.ts';
import { personalEvents } from '../../projections/audit/personalEvents.ts';
import { contextOf } from '../kit/context.ts';

const anna = '0190d1f0-0000-7000-8000-00000000000a';
const key = randomBytes(32);
const codec = createCodec(allEvents, {
  keyToWrite: async () => key,
  keysToRead: async (ids) => new Map([...ids].map((id) => [id, key])),
});
const AT = '2026-01-02T03:04:05.000Z';
const stream = `account-${anna}`;
const named = (firstName: string) => ({ type: 'ProfileChanged', data: { firstName } });

/** A log of one stream; it counts what is read of it. */
const logOf = async (...events: readonly { type: string; data: object }[]) => {
  const encoded = await codec.encode(stream, events, contextOf(anna));
  const position = { commit: 1n, prepare: 1n };
  const stored = encoded.map((event, n): StoredEvent => ({ ...event, stream, revision: BigInt(n), position }));
  const read = { calls: 0, events: 0 };
  const store = {
    read: async (_: string, { from = 0n, max = 0 }: { from?: bigint; max?: number } = {}) => {
      const found = stored.slice(Number(from), Number(from) + max);
      read.calls += 1;
      read.events += found.length;
      return found;
    },
  } as unknown as EventStore;
  return { log: { store, codec }, read };
};

const LENGTH = 60;
it('finds the events at any places, in their order, and reads at most five events for each', async () => {
  const { log, read } = await logOf(...Array.from({ length: LENGTH }, (_, n) => named(`name ${n}`)));
  const revisions = fc.uniqueArray(fc.nat({ max: LENGTH - 1 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(revisions, async (asked) => {
      const before = read.events;
      const found = await readAt(
        log,
        asked.map((revision): Place => ({ stream, revision })),
      );
      expect(found.map((event) => event?.data)).toEqual(asked.map((n) => ({ firstName: `name ${n}` })));
      expect(read.events - before).toBeLessThanOrEqual(5 * asked.length);
    }),
  );
});

it('reads what is together at once', async () => {
  const { log, read } = await logOf(...Array.from({ length: LENGTH }, (_, n) => named(`name ${n}`)));
  await readAt(
    log,
    Array.from({ length: LENGTH / 2 }, (_, n) => ({ stream, revision: 2 * n })),
  );
  expect(read.calls).toBe(1);
});

it('shows former values and linked providers, no secrets, and null for what the log does not have', async () => {
  const linked = { provider: 'vk', identityId: anna, byHolder: true };
  const { log } = await logOf(
    named('Anja'),
    named('Anna'),
    { type: 'PasswordChanged', data: { passwordHash: 'a hash' } },
    { type: 'ProviderLinked', data: linked },
  );
  const types = ['ProfileChanged', 'ProfileChanged', 'PasswordChanged', 'ProviderLinked', 'EmailVerified'];
  const rows = types.map((type, revision) => ({ at: AT, type, stream, revision }));
  const shown = await personalEvents.fromLog?.(rows, anna, log);
  const data = [{ firstName: 'Anja' }, { firstName: 'Anna' }, { passwordHash: '[hidden]' }, linked, null];
  expect(shown).toEqual(types.map((type, n) => ({ at: AT, type, stream, data: data[n] })));
});

it('of data, only what is at the paths is left, at its place', () => {
  const data = { id: 1, note: null, people: [{ name: 'A', age: 3 }, { age: 4 }], place: { lat: 1, lon: 2 }, more: 'x' };
  const paths = [['note'], ['people', '*', 'name'], ['place'], ['more', 'text'], ['absent', 'text']];
  expect(onlyAt(data, paths)).toEqual({
    note: null,
    people: [{ name: 'A' }, {}],
    place: { lat: 1, lon: 2 },
    more: null,
  });
});
