/** What is held of an item at one of its keys, and how that is counted: for nights and for slots alike. */
import { type Static, Type } from '@sinclair/typebox';
import type { InventoryEvent } from '../../domain/catalog/inventory.ts';
import { Uuid } from '../../domain/core/schema.ts';

export const heldColumns = {
  /** Who holds places here, by the hold's id. */
  holds: Type.Record(Type.String(), Type.Object({ booking_id: Uuid, quantity: Type.Integer() })),
  /** Places held or booked: what `holds` comes to. */
  taken: Type.Integer(),
};
export type Held = Static<ReturnType<typeof Type.Object<typeof heldColumns>>>;

/** A booking that moves has two holds for a while, which share their places: the most that any of them takes counts. */
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
