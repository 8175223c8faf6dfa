/** The environment settings of chats. */
import { integer } from '../../infra/settings.ts';

export const chatSettings = {
  CHAT_STRANGERS_PER_DAY: integer(
    30,
    0,
    10_000,
    'People who are not friends with whom one account may start chats, alone or in groups, in a day; 0 = any number.',
  ),
};
