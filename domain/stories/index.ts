/** The domain manifest of this module. */

import { storiesPurpose } from './purpose.ts';
import { resortStory } from './resortStory.ts';
import { story } from './story.ts';

export const stories = { aggregates: [story, resortStory], purpose: storiesPurpose } as const;
