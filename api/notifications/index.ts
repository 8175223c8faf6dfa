import type { ApiModule } from '../http/module.ts';
import { notificationRoutes } from './notifications.ts';
import { preferenceRoutes } from './preferences.ts';

export const notifications: ApiModule = { service: 'platform', routes: [...notificationRoutes, ...preferenceRoutes] };
