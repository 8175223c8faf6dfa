/** What the notifications of this module share. */
import { DAY_MS } from '../../domain/core/instants.ts';
import { type OpenPass, pass } from '../../domain/passes/pass.ts';
import type { CoreDeps } from '../core/deps.ts';
import { loadPurchase } from '../purchases/purchases.ts';
import { passesOf } from './dividePurchase.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

export const traits = { kind: 'booking', urgency: 'normal', worthMs: DAY_MS, link: () => '/passes' } as const;

export const loaded = async ({ aggregates }: Deps, passId: string): Promise<OpenPass | undefined> => {
  const { state } = await aggregates.load(pass, passId);
  return state.status === 'open' ? state : undefined;
};

/** The passes that were bought together with one. */
export const boughtWith = async (deps: Deps, { purchaseId }: OpenPass): Promise<OpenPass[]> =>
  (await passesOf(deps, purchaseId, await loadPurchase(deps, purchaseId))).map(({ pass: of }) => of);
