/** The domain manifest of this module. */
import { file } from './file.ts';

/** Why this module holds personal data. */
export const filesPurpose = {
  purpose: 'show the pictures and documents that people upload where they attach them',
  basis: 'contract',
  seenBy: ['self', 'readers'],
} as const;

export const files = { aggregates: [file], purpose: filesPurpose } as const;
