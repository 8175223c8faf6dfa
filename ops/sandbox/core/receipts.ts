/** Checks fiscal receipts as the providers do, and keeps those that were accepted. */
import { randomUUID } from 'node:crypto';
import type { Change, ReceiptRecord } from './state.ts';

/** Why a receipt is refused; undefined when it is in order. Amounts are minor units. */
export const receiptFault = (
  itemsMinor: readonly number[],
  amountMinor: number,
  { hasContact }: { readonly hasContact: boolean },
): string | undefined => {
  if (!hasContact) return 'The receipt names no e-mail address or phone number';
  const sum = itemsMinor.reduce((total, minor) => total + minor, 0);
  return sum === amountMinor ? undefined : `The items of the receipt sum to ${sum}, not to ${amountMinor}`;
};

export const issued = (
  paymentId: string,
  type: 'payment' | 'refund' | 'closing',
  receipt: object | undefined,
  id: string = randomUUID(),
): Change[] => {
  if (receipt === undefined) return [];
  const record: ReceiptRecord = { object: { id, type, status: 'succeeded' }, paymentId, receipt };
  return [['receipts', id, record]];
};
