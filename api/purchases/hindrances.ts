/** Ski passes and insurance that are not over stand in the way of the end of an account. */
import { followUp } from '../../commands/core/handle.ts';
import { cancelPurchase, isAhead, mostDatesAdded } from '../../commands/purchases/purchases.ts';
import { purchasesAhead } from '../../projections/purchases/upcomingPurchases.ts';
import type { App } from '../http/app.ts';
import { endAll, type Hinders, MOST_NAMED } from '../http/hindrance.ts';

/** The read model may be a moment old: the log says which of them still stand. */
const ahead = async (app: App, person: string, at: string): Promise<string[]> => {
  const ids = await purchasesAhead(app.db, person, { at, added: await mostDatesAdded(app) }, MOST_NAMED);
  const stand = await Promise.all(ids.map((id) => isAhead(app, id, at)));
  return ids.filter((_, n) => stand[n]);
};

export const purchaseHindrances: Hinders = {
  find: async (app, person, at) => {
    const ids = await ahead(app, person, at);
    const detail =
      'You have ski passes or insurance that are not over. Cancel them, or delete the account with `settle=cancel`.';
    return ids.length > 0 ? [{ reason: 'purchases_ahead', detail, ids }] : [];
  },
  settle: (app, context, person) =>
    endAll(
      () => ahead(app, person, context.at),
      (id) => cancelPurchase(app, followUp(context, id), id, 'The account is deleted'),
    ),
};
