/** The domain manifest of this module. */
import { badgeCatalogue } from './catalogue.ts';
import { badgeHolder } from './holder.ts';

/** Why this module holds personal data. */
export const badgesPurpose = {
  purpose: 'award badges',
  basis: 'contract',
  seenBy: ['self'],
} as const;

export const badges = { aggregates: [badgeCatalogue, badgeHolder], purpose: badgesPurpose } as const;
