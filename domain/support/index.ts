/** The domain manifest of this module. */
import { supportDesk } from './supportDesk.ts';

export const support = { aggregates: [supportDesk] } as const;
