/** What people can do with their own data: take it along, as a document or with their files, and have it erased. */
import type { ApiModule } from '../http/module.ts';
import { archiveRoutes } from './archives.ts';
import { certificateRoutes } from './certificates.ts';
import { erasureRoute } from './erasure.ts';
import { exportRoute } from './export.ts';

export const privacy: ApiModule = {
  service: 'privacy',
  routes: [exportRoute, ...archiveRoutes, erasureRoute, ...certificateRoutes],
};
