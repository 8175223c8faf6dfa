/** The domain manifest of this module. */
import { resortStory } from './resortStory.ts';
import { story } from './story.ts';

export const stories = { aggregates: [story, resortStory] } as const;
