/** The domain manifest of this module. */
import { file } from './file.ts';

export const files = { aggregates: [file] } as const;
