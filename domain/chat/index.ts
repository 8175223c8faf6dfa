/** The domain manifest of this module. */
import { message } from './message.ts';
import { thread } from './thread.ts';
import { threadMember } from './threadMember.ts';

/** Why this module holds personal data. */
export const chatPurpose = {
  purpose: 'let people write to each other',
  basis: 'contract',
  seenBy: ['self', 'members'],
} as const;

export const chat = { aggregates: [thread, threadMember, message], purpose: chatPurpose } as const;
