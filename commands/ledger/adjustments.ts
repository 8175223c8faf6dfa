/** Settlements by the providers, and adjustments that two admins decide on. */
import { requireExisting } from '../../domain/core/decider.ts';
import { type Adjustment, type AdjustmentCommand, adjustment } from '../../domain/ledger/adjustment.ts';
import { ownerOf } from '../../domain/ledger/ledger.ts';
import { type Settlement, settlement } from '../../domain/ledger/settlement.ts';
import { derivedId } from '../../infra/ids.ts';
import { loadAccount, wasErased } from '../accounts/accounts.ts';
import { assertSecondPerson } from '../accounts/admins.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
type DecidingDeps = Deps & Pick<CoreDeps, 'store' | 'codec' | 'pool'>;

/** A reference without what people type differently: spaces, letter case, and forms of the same character. */
const comparedReference = (reference: string): string =>
  reference
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .toUpperCase();

/**
 * Posts what a provider has paid to our bank, once for each reference, however it is typed.
 * @throws Rejected `invalid`; `conflict` when the reference was posted with other amounts, or typed in another way
 */
export const postSettlement = async (deps: Deps, context: CommandContext, posted: Settlement): Promise<string> => {
  const { provider, currency, reference } = posted;
  const idOf = (text: string): string => derivedId('settlement', provider, currency, text);
  // Before references were compared like that, a settlement had the id of its reference as it was typed.
  const asTyped = await deps.aggregates.load(settlement, idOf(reference));
  const id = idOf(asTyped.state === null ? comparedReference(reference) : reference);
  await deps.aggregates.handle(settlement, id, { type: 'PostSettlement', ...posted }, context);
  return id;
};

export interface Adjusting {
  readonly adjustmentId: string;
  readonly adjustment: Adjustment;
}

const command = async (
  { aggregates }: Deps,
  context: CommandContext,
  adjustmentId: string,
  given: AdjustmentCommand,
): Promise<Adjusting> => ({
  adjustmentId,
  adjustment: (await aggregates.handle(adjustment, adjustmentId, given, context)).state,
});

/** The id of the adjustment that a command requests. */
export const adjustmentIdOf = ({ commandId }: CommandContext): string => derivedId(commandId, 'adjustment');

/** What every request for an adjustment says. */
export interface AdjustmentTerms {
  readonly reason: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/**
 * An admin requests a correction. The books of an owner who was erased can be corrected, too.
 * @throws Rejected `invalid`; `not_found` for an owner that never existed
 */
export const requestCorrection = async (
  deps: Deps,
  context: CommandContext,
  terms: AdjustmentTerms & { readonly debit: string; readonly credit: string },
): Promise<Adjusting> => {
  for (const ownerId of [terms.debit, terms.credit].flatMap((name) => ownerOf(name) ?? []))
    if (!(await wasErased(deps, ownerId))) await loadAccount(deps, ownerId);
  const requested = { type: 'RequestCorrection', ...terms, requestedBy: context.actor.id } as const;
  return command(deps, context, adjustmentIdOf(context), requested);
};

/** Requests that a chargeback is posted, or that it was won. The caller has checked the payment. @throws Rejected `invalid` */
export const requestChargebackAs = (
  deps: Deps,
  context: CommandContext,
  adjustmentId: string,
  requested: Extract<AdjustmentCommand, { type: 'RequestChargeback' | 'RequestChargebackWon' }>,
): Promise<Adjusting> => command(deps, context, adjustmentId, requested);

/** @throws Rejected `not_found` */
export const loadAdjustment = async (
  { aggregates }: Deps,
  adjustmentId: string,
): Promise<Exclude<Adjustment, { status: 'none' }>> => {
  const { state } = await aggregates.load(adjustment, adjustmentId);
  requireExisting(state, 'adjustment');
  return state;
};

/**
 * Another admin approves an adjustment, or an admin rejects it for a reason.
 * @throws Rejected `not_found`, `invalid_transition`; `forbidden` when the actor requested it, or is no second person;
 * `conflict` where there is none
 */
export const decideAdjustment = async (
  deps: DecidingDeps,
  context: CommandContext,
  adjustmentId: string,
  outcome: 'approved' | { readonly reason: string },
): Promise<Adjusting> => {
  const by = context.actor.id;
  if (outcome !== 'approved') return command(deps, context, adjustmentId, { type: 'RejectAdjustment', by, ...outcome });
  const { state } = await deps.aggregates.load(adjustment, adjustmentId);
  if (state.status === 'requested') await assertSecondPerson(deps, context, state.requestedBy);
  return command(deps, context, adjustmentId, { type: 'ApproveAdjustment', by });
};
