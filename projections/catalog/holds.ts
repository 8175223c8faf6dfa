/** The places of a unit that are held at one of its keys (a night or a slot), and how they are counted. */
import { type Static, Type } from '@sinclair/typebox';
import type { InventoryEvent } from '../../domain/catalog/inventory.ts';
import { Uuid } from '../../domain/core/schema.ts';

export const heldColumns = {
  /** The holds on these places, by hold id. */
  holds: Type.Record(Type.String(), Type.Object({ booking_id: Uuid, quantity: Type.Integer() })),
  /** The number of places held or booked, computed from `holds`. */
  taken: Type.Integer(),
};
export type Held = Static<ReturnType<typeof Type.Object<typeof heldColumns>>>;

/** While a booking moves it has two holds that share places: only the larger of them counts. */
const takenBy = (holds: Held['holds']): number => {
  const byBooking = new Map<string, number>();
  for (const { booking_id, quantity } of Object.values(holds))
    byBooking.set(booking_id, Math.max(quantity, byBooking.get(booking_id) ?? 0));
  return [...byBooking.values()].reduce((sum, quantity) => sum + quantity, 0);
};

const counted = (holds: Held['holds']): Held => ({ holds, taken: takenBy(holds) });

type DataOf<T extends InventoryEvent['type']> = Extract<InventoryEvent, { type: T }>['data'];

export const withHold = ({ holds }: Held, { holdId, bookingId, quantity }: DataOf<'HoldPlaced'>): Held =>
  counted({ ...holds, [holdId]: { booking_id: bookingId, quantity } });

export const withoutHold = ({ holds }: Held, { holdId }: DataOf<'HoldReleased'>): Held => {
  const { [holdId]: _released, ...left } = holds;
  return counted(left);
};

/** Inventory keys are nights (`YYYY-MM-DD`) or slots (instants). */
export const isNight = (key: string): boolean => key.length === 'YYYY-MM-DD'.length;
