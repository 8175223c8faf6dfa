/** Ski passes and insurance that are not over stand in the way of the end of an account. */
import { followUp } from '../../commands/core/handle.ts';
import { cancelPurchase } from '../../commands/purchases/cancelPurchase.ts';
import { isAhead, mostDatesAdded } from '../../commands/purchases/purchases.ts';
import { purchasesAhead } from '../../projections/purchases/upcomingPurchases.ts';
import { type BlockerDeps, type DeletionBlocker, endAll, type Pages, standing } from '../http/deletionBlocker.ts';

/** Some of them may not stand any more: the log says so. */
const aheadOf = async (app: BlockerDeps, person: string, at: string): Promise<Pages> =>
  purchasesAhead(app.db, person, { at, added: await mostDatesAdded(app) });

export const purchaseBlockers: DeletionBlocker = {
  find: async (app, person, at) => {
    const ids = await standing(await aheadOf(app, person, at), (id) => isAhead(app, id, at));
    const detail =
      'You have ski passes or insurance that are not over. Cancel them, or delete the account with `settle=cancel`.';
    return ids.length > 0 ? [{ reason: 'purchases_ahead', detail, ids }] : [];
  },
  resolve: async (app, context, person, until) => {
    const cancel = async (id: string) => {
      if (await isAhead(app, id, context.at))
        await cancelPurchase(app, followUp(context, id), id, 'The account is deleted');
    };
    return endAll(app, await aheadOf(app, person, context.at), cancel, until);
  },
};
