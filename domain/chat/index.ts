/** The domain manifest of this module. */
import { message } from './message.ts';
import { chatPurpose } from './purpose.ts';
import { thread } from './thread.ts';
import { threadMember } from './threadMember.ts';

export const chat = { aggregates: [thread, threadMember, message], purpose: chatPurpose } as const;
