/** The owner accounts: commands on them, and what the ledger's postings change on them. */
import { account, ownerOf, type Posting } from '../../domain/ledger/ledger.ts';
import { type OwnerAccount, type OwnerAccountCommand, ownerAccount } from '../../domain/ledger/ownerAccount.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** The owner and the currency: together they are the account's address and never change. */
export interface AccountOf {
  readonly ownerId: string;
  readonly currency: string;
}

export const ownerAccountId = ({ ownerId, currency }: AccountOf): string =>
  derivedId('ownerAccount', ownerId, currency);

export const commandOwnerAccount = async (
  { aggregates }: Deps,
  context: CommandContext,
  account: AccountOf,
  command: OwnerAccountCommand,
): Promise<OwnerAccount> => (await aggregates.handle(ownerAccount, ownerAccountId(account), command, context)).state;

/** What an owner owes in a currency; 0 when they owe nothing. */
export const owedBy = async ({ aggregates }: Deps, account: AccountOf): Promise<number> =>
  Math.max(0, -(await aggregates.load(ownerAccount, ownerAccountId(account))).state.availableMinor);

/** Records what an event's postings add to, or take from, owners' available balances. Its id prevents counting it twice. */
export const recordChanges = async (
  {
    id: causeId,
    at: causedAt,
    data: { currency, postings },
  }: {
    readonly id: string;
    readonly at: string;
    readonly data: { readonly currency: string; readonly postings: readonly Posting[] };
  },
  { deps, context }: { readonly deps: Deps; readonly context: CommandContext },
): Promise<void> => {
  for (const { account: name, amountMinor } of postings) {
    const ownerId = ownerOf(name);
    if (ownerId === null || name !== account.available(ownerId)) continue;
    const change = { ownerId, currency, causeId, causedAt, amountMinor: -amountMinor };
    await commandOwnerAccount(deps, followUp(context, name), change, { type: 'RecordChange', ...change });
  }
};
