/** Badges that skiers earn for what they have done, and the rules by which admins define them. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { adminBadgeRoutes } from './admin.ts';
import { badgeRoutes } from './badges.ts';

export const badges: ApiModule = {
  service: 'gamification',
  opens: appModule('badges'),
  routes: [...badgeRoutes, ...adminBadgeRoutes],
};
