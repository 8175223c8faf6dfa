/** Snapshots are read by later releases: a changed state needs a new version, or old snapshots would be misread. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { blindSnapshot } from '../../commands/audit/stateThen.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { aggregates, allEvents } from '../../domain/modules.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { concealedState } from '../../eventstore/concealed.ts';
import { explain, validator } from '../../infra/validation.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { happened } from '../kit/projected.ts';
import { withoutOrder } from '../kit/withoutOrder.ts';
import { histories } from './snapshotHistories.ts';

const GOLDEN = path.resolve(import.meta.dirname, 'snapshots.golden.json');

const kept = aggregates.flatMap((aggregate) =>
  aggregate.snapshot ? [{ ...aggregate, snapshot: aggregate.snapshot }] : [],
);

describe.each(kept)('the snapshot of $category', ({ category, events, initial, evolve, snapshot }) => {
  const history = histories[category] ?? [];
  const state = history.reduce((before, event) => evolve(before, event), initial);
  const packed = snapshot.pack(state);

  it('is shown here with every event', () => {
    expect(Object.keys(events).filter((type) => !history.some((event) => event.type === type))).toEqual([]);
  });

  it('is what was packed, when it is read again', () => {
    const read: unknown = JSON.parse(JSON.stringify(packed));
    const fits = validator(snapshot.packed);
    expect(fits(read) || explain(fits.errors)).toBe(true);
    expect(snapshot.pack(snapshot.unpack(read as never))).toEqual(packed);
    expect(withoutOrder(snapshot.unpack(read as never))).toEqual(withoutOrder(state));
    const empty = snapshot.pack(initial);
    expect(snapshot.pack(snapshot.unpack(empty as never))).toEqual(empty);
  });

  it('hides from auditors what its events hide, or is not shown', () => {
    const codec = createCodec(allEvents, { keyToWrite: async () => 'erased', keysToRead: async () => new Map() });
    const blindState = history.reduce((before, event) => {
      const read = happened(category, id(1), event, '2030-01-01T00:00:00.000Z');
      return evolve(before, codec.conceal(read, { forFold: true }).event as AnyEvent);
    }, initial);
    const found = blindSnapshot(snapshot, state);
    // It has no owner: nobody could be told that it was shown.
    if (!found) return expect(category).toBe('room');
    const hiddenWith = (blind: unknown) =>
      withoutOrder(concealedState({ revision: 0, at: null, state, blindState: blind, people: [] }).hidden);
    expect(hiddenWith(found.blindState)).toEqual(hiddenWith(blindState));
  });

  it('is the one in the golden file, or has a higher version (UPDATE_GOLDEN=1 records it)', () => {
    const golden = existsSync(GOLDEN) ? JSON.parse(readFileSync(GOLDEN, 'utf8')) : {};
    const now = { version: snapshot.version, state: JSON.parse(JSON.stringify(packed)) };
    if (process.env.UPDATE_GOLDEN && now.version > (golden[category]?.version ?? 0))
      writeFileSync(GOLDEN, `${JSON.stringify({ ...golden, [category]: now }, null, 2)}\n`);
    else expect(now, `raise the snapshot's version in domain/**/${category}`).toEqual(golden[category]);
  });
});
