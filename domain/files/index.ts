/** The domain manifest of this module. */
import { file } from './file.ts';
import { filesPurpose } from './purpose.ts';

export const files = { aggregates: [file], purpose: filesPurpose } as const;
