/** The domain manifest of this module. */
import { attendance } from './attendance.ts';
import { post } from './post.ts';

export const content = { aggregates: [post, attendance] } as const;
