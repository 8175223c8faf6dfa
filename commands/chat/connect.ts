/** The environment settings of chats. */
import { integer } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { ChatPorts } from './deps.ts';

export const chatSettings = {
  CHAT_STRANGERS_PER_DAY: integer(
    30,
    0,
    10_000,
    'People who are not friends with whom one account may start chats, alone or in groups, in a day; 0 = any number.',
  ),
};

export const connectChat = (config: ModuleConfig<typeof chatSettings>): ChatPorts => ({
  settings: { chatStrangersPerDay: config.CHAT_STRANGERS_PER_DAY },
});
