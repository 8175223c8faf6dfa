/** What people can do with their own data: take it along, as a document or with their files, and have it erased. */
import type { DeletionBlocker } from '../http/deletionBlocker.ts';
import type { ApiModule } from '../http/module.ts';
import { archiveRoutes } from './archives.ts';
import { certificateRoutes } from './certificates.ts';
import { erasureRoute } from './erasure.ts';
import { exportRoute } from './export.ts';

/** @param blockers what modules below say stands in the way of the end of an account */
export const privacyWith = (blockers: readonly DeletionBlocker[]): ApiModule => ({
  service: 'privacy',
  routes: [exportRoute, ...archiveRoutes, erasureRoute(blockers), ...certificateRoutes],
});
