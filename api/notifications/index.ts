/** What people are told in the app, and what they want to be told by push and by e-mail. */
import type { ApiModule } from '../http/module.ts';
import { notificationRoutes } from './notifications.ts';
import { preferenceRoutes } from './preferences.ts';

export const notifications: ApiModule = { service: 'platform', routes: [...notificationRoutes, ...preferenceRoutes] };
