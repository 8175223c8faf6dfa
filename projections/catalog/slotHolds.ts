/** What is held, one row for each unit and slot: a departure, or a quarter of an hour of a table or vehicle. */
import { type Static, Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import type { EventOf } from '../../domain/modules.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { isNight, takenAfter } from './holds.ts';

const Row = Type.Object({
  unit_id: Uuid,
  slot: Instant,
  taken: Type.Integer({ description: 'How many are held or booked.' }),
});
type SlotHoldRow = Static<typeof Row>;
type Key = Pick<SlotHoldRow, 'unit_id' | 'slot'>;

const heldSlots = ({ streamId, data }: { streamId: string; data: { keys: readonly string[] } }): Key[] =>
  data.keys.filter((key) => !isNight(key)).map((key) => ({ unit_id: streamId, slot: new Date(key).toISOString() }));

const withTaken = (
  row: SlotHoldRow | undefined,
  event: Recorded<EventOf<'HoldPlaced' | 'HoldReleased'>>,
  key: Key,
): SlotHoldRow | null => {
  const taken = takenAfter(row?.taken ?? 0, key.slot, event);
  return taken > 0 ? { ...key, taken } : null;
};

export const slotHolds = readModel('slot_holds', {
  version: 3,
  row: Row,
  key: ['unit_id', 'slot'],
  on: {
    HoldPlaced: { keys: heldSlots, fold: withTaken },
    HoldReleased: { keys: heldSlots, fold: withTaken },
  },
});

/** How many places of a unit are taken, by slot. Slots with none taken are missing. */
export type TakenSlots = ReadonlyMap<string, number>;

/** The taken places of some units at the slots between two instants, both included; by unit. */
export const takenSlots = async (
  db: ReadDb,
  units: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<(unitId: string) => TakenSlots> => {
  const rows =
    units.length === 0
      ? []
      : await tables(db, slotHolds)
          .selectFrom('slot_holds')
          .select(['unit_id', 'slot', 'taken'])
          .where(isAnyOf('unit_id', units))
          .where('slot', '>=', from)
          .where('slot', '<=', to)
          .execute();
  const byUnit = new Map<string, Map<string, number>>();
  for (const { unit_id, slot, taken } of rows)
    byUnit.set(unit_id, (byUnit.get(unit_id) ?? new Map<string, number>()).set(slot, taken));
  return (unitId) => byUnit.get(unitId) ?? new Map();
};
