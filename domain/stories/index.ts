/** The domain manifest of this module. */

import { resortStory } from './resortStory.ts';
import { story } from './story.ts';

/** Why this module holds personal data. */
export const storiesPurpose = {
  purpose: 'show stories to others for a day',
  basis: 'contract',
  seenBy: ['users'],
} as const;

export const stories = { aggregates: [story, resortStory], purpose: storiesPurpose } as const;
