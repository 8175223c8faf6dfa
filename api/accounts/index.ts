import type { ApiModule } from '../http/module.ts';
import { authRoutes } from './auth.ts';
import { oauthRoutes } from './oauth.ts';
import { roleRequestRoutes } from './roleRequests.ts';
import { userRoutes } from './users.ts';

export const accounts: ApiModule = {
  service: 'auth',
  routes: [...authRoutes, ...oauthRoutes, ...userRoutes, ...roleRequestRoutes],
};
