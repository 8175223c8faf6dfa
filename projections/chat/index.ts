/** The read models of this module, and its channels. Messages show who has read them, so participants come before. */
import type { ReadModel } from '../engine/readModel.ts';
import { messageEdits } from './messageEdits.ts';
import { messages } from './messages.ts';
import { participants } from './participants.ts';
import { threadPreferences } from './preferences.ts';
import { threads } from './threads.ts';

export const readModels: readonly ReadModel[] = [threads, participants, threadPreferences, messages, messageEdits];
