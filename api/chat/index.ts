/** Chats of two people or a group: messages, who has read them, blocks, and reports to the admins. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { blockRoutes } from './blocks.ts';
import { chatRoutes } from './chats.ts';
import { groupRoutes } from './groups.ts';
import { historyRoute } from './history.ts';
import { messageRoutes } from './messages.ts';
import { reportRoutes } from './reports.ts';

export const chat: ApiModule = {
  service: 'chat',
  opens: appModule('chat'),
  routes: [...chatRoutes, ...groupRoutes, ...blockRoutes, ...messageRoutes, historyRoute, ...reportRoutes],
};
