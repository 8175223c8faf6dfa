/** The domain manifest of this module. */
import { attendance } from './attendance.ts';
import { post } from './post.ts';
import { contentPurpose } from './purpose.ts';

export const content = { aggregates: [post, attendance], purpose: contentPurpose } as const;
