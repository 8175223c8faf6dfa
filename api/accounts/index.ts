/** Accounts: sign-in by password, SMS code or identity provider; profiles, roles and requests for selling roles. */
import type { ApiModule } from '../http/module.ts';
import { authRoutes } from './auth.ts';
import { oauthRoutes } from './oauth.ts';
import { roleRequestRoutes } from './roleRequests.ts';
import { signInMethodRoutes } from './signInMethods.ts';
import { userRoutes } from './users.ts';

export const accounts: ApiModule = {
  service: 'auth',
  routes: [...authRoutes, ...oauthRoutes, ...userRoutes, ...signInMethodRoutes, ...roleRequestRoutes],
};
