/** What happens in the lives of passes, for random histories. */
export const acts = [
  'issue',
  'scan',
  'scan',
  'scan_again',
  'pass_offline',
  'pass_offline',
  'upload',
  'upload_again',
  'give_back',
  'cancel',
  /** An admin refunds the payment itself. */
  'refund_payment',
  'refund_payment',
  /** The provider did not carry out a refund. */
  'refund_fails',
  /** The payer's bank takes a part of the money back. */
  'chargeback',
  'policy',
  'policy',
  'policy',
  'job',
  'close',
  'block',
  'unblock',
  'minutes',
  'hours',
  'day',
  'day',
  /** Inside another act: its process dies before the next command. */
  'die',
] as const;
export interface Act {
  readonly act: (typeof acts)[number];
  readonly which: number;
}
