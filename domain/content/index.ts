/** The domain manifest of this module. */
import { attendance } from './attendance.ts';
import { post } from './post.ts';

/** Why this module holds personal data. */
export const contentPurpose = {
  purpose: 'know who comes to an event',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;

export const content = { aggregates: [post, attendance], purpose: contentPurpose } as const;
