/** Accounts: sign-in by password, SMS code or identity provider; profiles, roles and requests for selling roles. */
import type { ApiModule } from '../http/module.ts';
import { authRoutes } from './auth.ts';
import { type AboutMe, meRoute } from './me.ts';
import { oauthRoutes } from './oauth.ts';
import { roleRequestRoutes } from './roleRequests.ts';
import { signInMethodRoutes } from './signInMethods.ts';
import { userRoutes } from './users.ts';

export { adminBlockers } from './deletionBlockers.ts';

/** @param aboutMe what modules above add to `GET /auth/me` */
export const accountsWith = (aboutMe: readonly AboutMe[]): ApiModule => ({
  service: 'auth',
  routes: [...authRoutes, meRoute(aboutMe), ...oauthRoutes, ...userRoutes, ...signInMethodRoutes, ...roleRequestRoutes],
});
