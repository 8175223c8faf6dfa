/** The groups that are declared: what a wire form reads belongs to the group of its model. */
import { expect, it } from 'vitest';
import { audiences } from '../../projections/engine/wire.ts';
import { groups, models } from '../../projections/modules.ts';
import { createEmptyDb } from '../kit/projected.ts';

it('every read model belongs to one group', () => {
  const names = models.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
});

const withOverlay = groups.flatMap((group) =>
  group.models.flatMap(({ name, wire: { overlay } }) => (overlay ? [{ name, overlay, group }] : [])),
);

/** The tables that an overlay reads. */
const tablesOf = async ({ overlay }: (typeof withOverlay)[number]): Promise<ReadonlySet<string>> => {
  const read = new Set<string>();
  const db = createEmptyDb((text) => {
    for (const [, table = ''] of text.matchAll(/"read"\."(\w+)"/g)) read.add(table);
  });
  const id = '00000000-0000-4000-8000-000000000000';
  const row = Object.fromEntries(overlay.needs.map((column) => [column, column.endsWith('_ids') ? [id] : id]));
  await overlay.read(db, [row], [...audiences]);
  return read;
};

it.each(withOverlay)('what the wire form of $name shows of other models is in its group, before it', async (model) => {
  const { name, group } = model;
  const order = group.models.map((each) => each.name);
  for (const table of await tablesOf(model))
    expect(order.slice(0, order.indexOf(name)), `${name} shows ${table}`).toContain(table);
});

it('finds what wire forms show of other models', async () => {
  const bookings = withOverlay.find(({ name }) => name === 'bookings');
  if (!bookings) throw new Error('bookings show nothing of other models');
  expect((await tablesOf(bookings)).size).toBeGreaterThan(0);
});
