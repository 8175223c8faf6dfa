/** Friends: invitations, blocked people, and where friends are on the slope while they share it. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { friendRoutes } from './friends.ts';
import { invitationRoutes } from './invitations.ts';
import { liveRoutes } from './live.ts';

export const friends: ApiModule = {
  service: 'social',
  opens: appModule('friends'),
  routes: [...liveRoutes, ...invitationRoutes, ...friendRoutes],
};
