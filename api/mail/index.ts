/** E-mail addresses: proving one, unsubscribing from marketing, and addresses that mails do not reach. */
import type { ApiModule } from '../http/module.ts';
import { reportRoutes } from './reports.ts';
import { undeliverableRoutes } from './undeliverable.ts';
import { unsubscribeRoutes } from './unsubscribe.ts';
import { verificationRoutes } from './verification.ts';

/** Proving an address is a part of the account, so that another service answers it. */
export const emailAddresses: ApiModule = { service: 'auth', routes: verificationRoutes };
export const mail: ApiModule = {
  service: 'platform',
  routes: [...unsubscribeRoutes, ...undeliverableRoutes, ...reportRoutes],
};
