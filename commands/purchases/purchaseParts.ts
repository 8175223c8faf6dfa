/** Purchases that are divided into parts after they are paid, such as passes: their module ends the parts itself. */

import type { ServiceType } from '../../domain/catalog/soldTypes.ts';
import type { OpenPurchase, purchaseEnders } from '../../domain/purchases/purchase.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

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
type EndParts = (deps: Deps, context: CommandContext, of: EndedPurchase) => Promise<{ readonly returnedMinor: number }>;

/** How a module deals with the purchases that it divides. */
export interface Parts {
  readonly end: EndParts;
  /** What its parts have finally decided to return, in minor units: nothing else of the money is refunded. It only rises. */
  readonly returnedMinor: (deps: Deps, purchaseId: string, purchase: OpenPurchase) => Promise<number>;
  /** How many dates longer than it was sold for a purchase can be valid, at most. */
  readonly mostDatesAdded: (deps: Deps) => Promise<number>;
  /** The last date on which a part is valid, `YYYY-MM-DD`: it can be later than when it was sold. */
  readonly lastDate: (deps: Deps, purchaseId: string, purchase: OpenPurchase) => Promise<string>;
  /** Tells admins how the parts decide to return more, as a sentence. */
  readonly otherwise: string;
}

/** By what was sold. */
export type PurchaseParts = Readonly<Partial<Record<ServiceType, Parts>>>;

/** Part of the manifest of a module that divides purchases. */
export interface PurchaseDividers {
  readonly purchaseParts: PurchaseParts;
}

export interface PurchasePartsPort {
  readonly purchaseParts: PurchaseParts;
}
