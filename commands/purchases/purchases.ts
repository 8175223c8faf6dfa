/**
 * Purchases of what the resort itself sells: ski passes and insurance. Nothing is held; the price is kept until the
 * purchase expires.
 */

import type { ServiceType } from '../../domain/catalog/soldTypes.ts';
import { existing } from '../../domain/core/decider.ts';
import type { AppliedPromotion } from '../../domain/promotions/appliedPromotion.ts';
import type { PassTerms } from '../../domain/purchases/passTerms.ts';
import {
  type ProductOffer,
  type ProductQuote,
  type ProductReason,
  productReasons,
} from '../../domain/purchases/product.ts';
import {
  type InsuredPerson,
  lasting,
  type OpenPurchase,
  purchase,
  purchaseIsAhead,
} from '../../domain/purchases/purchase.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type Faults, notSold } from '../core/notSold.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import type { PurchasePartsPort } from './purchaseParts.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings'>;

/** A purchase and its id: what every command here returns. */
export interface Purchased {
  readonly purchaseId: string;
  readonly purchase: OpenPurchase;
}

/** The quote of a product, as the purchase keeps it. */
export interface QuotedPurchase {
  readonly serviceType: ServiceType;
  readonly productId: string;
  readonly productName: string;
  readonly currency: string;
  /** Passes, or insured persons. */
  readonly quantity: number;
  readonly persons: readonly InsuredPerson[];
  readonly offer: ProductOffer;
  /** Of ski passes. */
  readonly passTerms?: PassTerms;
  /** The discount of a promo code. */
  readonly promotion?: AppliedPromotion;
}

/**
 * Quotes a product at an instant (RFC 3339). Each product's module provides one.
 * @throws Rejected `not_found`, `invalid`, `not_bookable`
 */
export type QuotePurchase = (deps: Pick<CoreDeps, 'aggregates'>, at: string) => Promise<QuotedPurchase>;

/** @throws Rejected `not_found` */
export const loadPurchase = async (deps: Pick<Deps, 'aggregates'>, purchaseId: string): Promise<OpenPurchase> =>
  existing((await deps.aggregates.load(purchase, purchaseId)).state, 'purchase');

/** Whether a purchase can be cancelled, and the last day of all its parts is not over. @throws Rejected `not_found` */
export const isAhead = async (
  deps: Pick<Deps, 'aggregates'> & PurchasePartsPort,
  purchaseId: string,
  at: string,
): Promise<boolean> => {
  const found = await loadPurchase(deps, purchaseId);
  const validTo = await deps.purchaseParts[found.serviceType]?.lastDate(deps, purchaseId, found);
  return purchaseIsAhead(validTo === undefined ? found : lasting(found, validTo), at);
};

/** How many dates longer than it was sold for any purchase can be valid, at most. */
export const mostDatesAdded = async (deps: Pick<Deps, 'aggregates'> & PurchasePartsPort): Promise<number> =>
  Math.max(0, ...(await Promise.all(Object.values(deps.purchaseParts).map((parts) => parts.mostDatesAdded(deps)))));

/** Reasons that are the request's fault. The others are the resort's and may pass. */
const faults: Faults<ProductReason> = { past: 'valid_from', too_far: 'valid_from', too_long: 'valid_to' };

/** The offer of a quote. @throws Rejected `invalid` where the request is at fault, otherwise `not_bookable` */
export const offered = ({ offer, reasons }: ProductQuote): ProductOffer => {
  if (offer) return offer;
  throw notSold('This cannot be bought', reasons, { words: productReasons, faults });
};
