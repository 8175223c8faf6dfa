/** The read models of this module. Members and messages show names, and messages who has read them: so these come before. */
import type { ReadModel } from '../engine/readModel.ts';
import { chatActivity } from './chatActivity.ts';
import { messageEdits } from './messageEdits.ts';
import { messages } from './messages.ts';
import { participants } from './participants.ts';
import { threadPreferences } from './preferences.ts';
import { chatPeople, threads } from './threads.ts';

export const readModels: readonly ReadModel[] = [
  chatPeople,
  threads,
  participants,
  threadPreferences,
  chatActivity,
  messages,
  messageEdits,
];
