/** What people agree to, and the versions of the policies that they agree to. */
import type { ApiModule } from '../http/module.ts';
import { consentRoutes } from './consents.ts';
import { meRoute } from './me.ts';

/** The account of the caller is answered by the service of accounts. */
export const currentUser: ApiModule = { service: 'auth', routes: [meRoute] };
export const consents: ApiModule = { service: 'privacy', routes: consentRoutes };
