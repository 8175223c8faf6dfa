/** What is left of a stock, as its seller and admins see it, and as guests do. */
import type { User } from '../http/caller.ts';

/** Whether the caller sees by how much more is sold than there is. */
export const sellsIt = (caller: User | null, { owner_id }: { readonly owner_id: string }): boolean =>
  caller !== null && (caller.role === 'admin' || caller.id === owner_id);

/** Guests see 0 instead of a negative number. */
export const shownLeft = (left: number, isSeller: boolean): number => (isSeller ? left : Math.max(0, left));
