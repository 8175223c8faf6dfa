/** What people agree to, and the versions of the policies that they agree to. */
import type { ApiModule } from '../http/module.ts';
import { consentRoutes } from './consents.ts';

export { consentRequired } from './consents.ts';

export const consents: ApiModule = { service: 'privacy', routes: consentRoutes };
