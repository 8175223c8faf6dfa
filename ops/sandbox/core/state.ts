/** The tables of the sandbox. */
import type { Refund } from '../../../commands/payments/yookassa/api.ts';
import { DAY_MS } from '../../../domain/core/instants.ts';
import type { MethodRecord } from '../payments/methods.ts';
import type { PaymentRecord, Provider } from '../payments/payments.ts';
import type { BeneficiaryRecord, DealRecord } from '../tbank/nominal.ts';
import { type Change as ChangeOf, type Journal, openJournal } from './journal.ts';

/** A receipt as it was sent, in the provider's own terms. */
export interface ReceiptRecord {
  readonly object: { readonly id: string; readonly type: string; readonly status: 'succeeded' };
  readonly paymentId: string;
  readonly receipt: object;
}

interface RefundRecord {
  readonly object: Refund;
  readonly shopId: string;
}

/** A POST that was answered: a repeat gets the same object. */
export interface RememberedRequest {
  /** Hash of method, path and body. */
  readonly fingerprint: string;
  readonly table: 'payments' | 'refunds' | 'methods' | 'receipts';
  readonly id: string;
  readonly at: string;
}

export interface QueuedNotification {
  readonly id: string;
  readonly paymentId: string;
  readonly provider: Provider;
  readonly url: string;
  readonly event: string;
  readonly body: object;
  /** Time of the event: delivery ends a day later. */
  readonly at: string;
  /** Earliest time of the next attempt. */
  readonly dueAt: string;
  readonly attempts: number;
  /** Held back until another notification of the same payment was delivered. */
  readonly overtaken: boolean;
}

interface Tables {
  payments: PaymentRecord;
  refunds: RefundRecord;
  methods: MethodRecord;
  receipts: ReceiptRecord;
  beneficiaries: BeneficiaryRecord;
  deals: DealRecord;
  requests: RememberedRequest;
  notifications: QueuedNotification;
}

const TABLES = [
  'payments',
  'refunds',
  'methods',
  'receipts',
  'beneficiaries',
  'deals',
  'requests',
  'notifications',
] as const;

export type State = Journal<Tables>;
export type Change = ChangeOf<Tables>;

/** "Idempotence" in the provider's documentation: a key is valid for a day. */
const REMEMBER_MS = DAY_MS;

/** Opens the state in `folder`; undefined keeps it in memory. */
export const openState = (folder: string | undefined): State => {
  const state = openJournal<Tables>(TABLES, folder);
  forgetRequests(state, Date.now());
  return state;
};

export const forgetRequests = (state: State, now: number): void => {
  const old = [...state.tables.requests].filter(([, { at }]) => Date.parse(at) < now - REMEMBER_MS);
  if (old.length > 0) state.commit(old.map(([key]) => ['requests', key, null]));
};
