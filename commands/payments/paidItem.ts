/**
 * One payment of one item, as the subject of a job. An item may be paid by several payments: a booking and its changes.
 */

export interface PaidItemRef {
  readonly itemId: string;
  readonly paymentId: string;
}

/** The data of such a job. Where it names no item, its id is the item: of purchases, and of jobs set before 0.2.0. */
export interface PaidItemData {
  readonly paymentId: string;
  readonly itemId?: string;
}

/** The id of such a job. */
export const paidItemJob = ({ itemId, paymentId }: PaidItemRef): string => `${itemId}:${paymentId}`;

/** What such a job is about. */
export const paidItemOf = ({ id, data }: { readonly id: string; readonly data: PaidItemData }): PaidItemRef => ({
  itemId: data.itemId ?? id,
  paymentId: data.paymentId,
});
