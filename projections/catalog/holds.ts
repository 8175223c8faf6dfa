/** How many places of a unit are taken at one of its keys (a night or a slot), counted by events of its inventory. */
import type { InventoryEvent } from '../../domain/catalog/inventory.ts';

type HoldEvent = Extract<InventoryEvent, { type: 'HoldPlaced' | 'HoldReleased' }>;

/**
 * How many places are taken at a key after an event. The inventory says so where the booking has another hold, because what
 * both of them hold counts once.
 */
export const takenAfter = (before: number, key: string, { type, data }: HoldEvent): number =>
  data.taken?.[key] ?? Math.max(0, before + (type === 'HoldPlaced' ? data.quantity : -data.quantity));

/** Inventory keys are nights (`YYYY-MM-DD`) or slots (instants). */
export const isNight = (key: string): boolean => key.length === 'YYYY-MM-DD'.length;
