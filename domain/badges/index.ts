/** The domain manifest of this module. */
import { badgeCatalogue } from './catalogue.ts';
import { badgeHolder } from './holder.ts';
import { badgesPurpose } from './purpose.ts';

export const badges = { aggregates: [badgeCatalogue, badgeHolder], purpose: badgesPurpose } as const;
