/** Divides a paid purchase into one pass per person. The ids derive from the purchase, so that it happens once. */
import { notFound, requireExisting } from '../../domain/core/decider.ts';
import { type OpenPass, type Pass, pass } from '../../domain/passes/pass.ts';
import { passTerms, skiPassTariff } from '../../domain/passes/tariff.ts';
import { type PassTerms, priceOfPass } from '../../domain/purchases/passTerms.ts';
import type { OpenPurchase } from '../../domain/purchases/purchase.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** A pass and its id: what every command on one returns. */
export interface PassOf {
  readonly passId: string;
  readonly pass: OpenPass;
}

/** @param number of the passes of the purchase, from 1 */
export const passIdOf = (purchaseId: string, number: number): string => derivedId(purchaseId, 'pass', number);

/** @throws Rejected `not_found` */
export const openPass = (passId: string, state: Pass): PassOf => {
  requireExisting(state, 'pass');
  return { passId, pass: state };
};

/** @throws Rejected `not_found` */
export const loadPass = async ({ aggregates }: Deps, passId: string): Promise<PassOf> =>
  openPass(passId, (await aggregates.load(pass, passId)).state);

/** The passes that were made of a purchase. */
export const passesOf = async (
  { aggregates }: Deps,
  purchaseId: string,
  { quantity }: Pick<OpenPurchase, 'quantity'>,
): Promise<PassOf[]> => {
  const ids = Array.from({ length: quantity }, (_, index) => passIdOf(purchaseId, index + 1));
  const loaded = await Promise.all(ids.map((passId) => aggregates.load(pass, passId)));
  return loaded.flatMap(({ state }, index) =>
    state.status === 'open' ? { passId: ids[index] as string, pass: state } : [],
  );
};

/** The pass, for its buyer and for admins. @throws Rejected `not_found` */
export const passFor = async (deps: Deps, { actor }: CommandContext, passId: string): Promise<PassOf> => {
  const found = await loadPass(deps, passId);
  if (found.pass.userId !== actor.id && actor.role !== 'admin') throw notFound('pass');
  return found;
};

/** Purchases of 0.1.0 do not say what they open: their tariff does. */
const termsOf = async ({ aggregates }: Deps, purchase: OpenPurchase): Promise<PassTerms> => {
  if (purchase.passTerms) return purchase.passTerms;
  const { state } = await aggregates.load(skiPassTariff, purchase.productId);
  requireExisting(state, 'ski pass tariff');
  return passTerms(state, { quantity: purchase.quantity, withCards: false });
};

/**
 * The passes of a purchase that is paid, which are made unless they were.
 * @returns [] for other purchases: none of their passes ever opens a gate
 */
export const divide = async (
  deps: Deps,
  context: CommandContext,
  purchaseId: string,
  purchase: OpenPurchase,
): Promise<PassOf[]> => {
  if (purchase.serviceType !== 'ski_pass' || purchase.status !== 'paid') return [];
  const terms = await termsOf(deps, purchase);
  const { userId, productId, productName, validFrom, validTo, startsAt, currency, totalMinor } = purchase;
  const { unit, count, timezone, areas, refundsUnused, depositMinor } = terms;
  const bought = { purchaseId, userId, tariffId: productId, tariffName: productName, validFrom, validTo, startsAt };
  const soldAt = purchase.madeAt ?? context.at;
  const opens = { unit, count, timezone, areas, refundsUnused, currency, depositMinor, soldAt };
  const passes: PassOf[] = [];
  for (const [index, ageGroup] of terms.holders.entries()) {
    const number = index + 1;
    const passId = passIdOf(purchaseId, number);
    const priceMinor = priceOfPass(terms, totalMinor, number);
    const command = { type: 'SellPass', ...bought, ...opens, number, ageGroup, priceMinor } as const;
    const { state } = await deps.aggregates.handle(pass, passId, command, followUp(context, `pass ${number}`));
    passes.push(openPass(passId, state));
  }
  return passes;
};
