/** The event log for auditors: search events, read a stream, see what an aggregate was at a past time. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { auditRoutes } from './audit.ts';

export const audit: ApiModule = {
  service: 'platform',
  opens: appModule('audit'),
  routes: [...auditRoutes],
};
