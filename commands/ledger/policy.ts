/** Keeps the owner accounts in step with the ledger: an owner can be paid what was released to them. */
import type { Recorded } from '../../domain/core/decider.ts';
import { account, ownerOf } from '../../domain/ledger/ledger.ts';
import type { EventOf } from '../../domain/modules.ts';
import { followUp } from '../core/handle.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { commandOwnerAccount } from './payouts.ts';

/** Records what the postings add to, or take from, an owner's available balance. The event's id prevents counting it twice. */
const recordChanges = async (
  { id: causeId, data }: Recorded<EventOf<'ShareReleased' | 'RefundSucceeded'>>,
  { deps, context }: PolicyContext,
): Promise<void> => {
  const { currency, postings } = data;
  for (const { account: name, amountMinor } of postings) {
    const ownerId = ownerOf(name);
    if (ownerId === null || name !== account.available(ownerId)) continue;
    const change = { ownerId, currency, causeId, amountMinor: -amountMinor };
    const command = { type: 'RecordChange', ...change } as const;
    await commandOwnerAccount(deps, followUp(context, name), change, command);
  }
};

export const ledgerPolicy = policy('ledger', { ShareReleased: recordChanges, RefundSucceeded: recordChanges });
