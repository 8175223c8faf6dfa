/** Purchases that are divided into parts after they are paid, such as passes: their module ends the parts itself. */

import type { ServiceType } from '../../domain/purchases/product.ts';
import type { OpenPurchase, purchaseEnders } from '../../domain/purchases/purchase.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

interface EndedPurchase {
  readonly purchaseId: string;
  readonly purchase: OpenPurchase;
  readonly by: (typeof purchaseEnders)[number];
  readonly reason: string | null;
}

/**
 * Ends all parts of a paid purchase, before the purchase is cancelled. What goes back of each is refunded by its module.
 * Safe to repeat.
 * @returns what goes back of all parts together, in minor units
 */
export type EndParts = (
  deps: Pick<CoreDeps, 'aggregates'>,
  context: CommandContext,
  of: EndedPurchase,
) => Promise<{ readonly returnedMinor: number }>;

/** By what was sold. Part of the manifest of a module that divides purchases. */
export type PurchaseParts = Readonly<Partial<Record<ServiceType, EndParts>>>;

export interface PurchasePartsPort {
  readonly purchaseParts: PurchaseParts;
}
