/** Every module that has read models. A new module adds one line to the list and its import. */
import { readModels as accounts } from './accounts/index.ts';
import { readModels as audit } from './audit/index.ts';
import { readModels as bookings } from './bookings/index.ts';
import { readModels as catalog } from './catalog/index.ts';
import { readModels as commissions } from './commissions/index.ts';
import type { ReadModel } from './engine/readModel.ts';
import { readModels as ledger } from './ledger/index.ts';
import { readModels as partners } from './partners/index.ts';
import { readModels as passes } from './passes/index.ts';
import { readModels as payments } from './payments/index.ts';
import { readModels as purchases } from './purchases/index.ts';

/**
 * The lowest module first: a module may import only modules above it in this list. The projector applies each batch in
 * this order, so that a wire form that shows parts of lower modules finds them up to date.
 */
const modules: readonly (readonly ReadModel[])[] = [
  accounts,
  audit,
  catalog,
  partners,
  commissions,
  ledger,
  payments,
  bookings,
  purchases,
  passes,
];

export const models: readonly ReadModel[] = modules.flat();
