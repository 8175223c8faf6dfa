/** What people can do with their own data: take it along, as a document or with their files, and have it erased. */
import type { Hinders } from '../http/hindrance.ts';
import type { ApiModule } from '../http/module.ts';
import { archiveRoutes } from './archives.ts';
import { certificateRoutes } from './certificates.ts';
import { erasureRoute } from './erasure.ts';
import { exportRoute } from './export.ts';

/** @param hinders what modules below say stands in the way of the end of an account */
export const privacyWith = (hinders: readonly Hinders[]): ApiModule => ({
  service: 'privacy',
  routes: [exportRoute, ...archiveRoutes, erasureRoute(hinders), ...certificateRoutes],
});
