/** The domain manifest of this module. */
import { badgeCatalogue } from './catalogue.ts';
import { badgeHolder } from './holder.ts';

export const badges = { aggregates: [badgeCatalogue, badgeHolder] } as const;
