/** Questions to the support, as chats that wait in a queue for an agent. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { ticketRoutes } from './tickets.ts';

export const support: ApiModule = { service: 'chat', opens: appModule('support'), routes: ticketRoutes };
