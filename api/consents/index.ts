import type { ApiModule } from '../http/module.ts';
import { consentRoutes } from './consents.ts';

export { consentRequired } from './consents.ts';

export const consents: ApiModule = { service: 'privacy', routes: consentRoutes };
