/** The mountain: lifts, slopes, queues, snow, avalanche danger, webcams and notices. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { liftRoutes } from './lifts.ts';
import { reportRoutes } from './mountainReport.ts';
import { statusRoutes } from './mountainStatus.ts';
import { queueRoutes } from './queues.ts';
import { slopeRoutes } from './slopes.ts';
import { webcamRoutes } from './webcams.ts';

export const resort: ApiModule = {
  service: 'resort',
  opens: appModule('resort'),
  routes: [...statusRoutes, ...liftRoutes, ...queueRoutes, ...slopeRoutes, ...reportRoutes, ...webcamRoutes],
};
