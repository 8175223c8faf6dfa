/** The domain manifest of this module. */
import { message } from './message.ts';
import { thread } from './thread.ts';
import { threadMember } from './threadMember.ts';

export const chat = { aggregates: [thread, threadMember, message] } as const;
