/** The modules of the HTTP API, in the order of the documentation. A new module adds its line here. */
import { accounts } from './accounts/index.ts';
import { audit } from './audit/index.ts';
import { bookings } from './bookings/index.ts';
import { catalog } from './catalog/index.ts';
import { commissions } from './commissions/index.ts';
import { type ApiModule, routesOf } from './http/module.ts';
import { ledger } from './ledger/index.ts';
import { operations } from './operations/index.ts';
import { partners } from './partners/index.ts';
import { passes } from './passes/index.ts';
import { payments } from './payments/index.ts';
import { purchases } from './purchases/index.ts';

export const modules: readonly ApiModule[] = [
  accounts,
  catalog,
  partners,
  passes,
  purchases,
  bookings,
  payments,
  ledger,
  commissions,
  audit,
  operations,
];

/** Every operation, with its service. */
export const routes = routesOf(modules);
