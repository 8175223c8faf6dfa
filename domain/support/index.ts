/** The domain manifest of this module. */

import { supportPurpose } from './purpose.ts';
import { supportDesk } from './supportDesk.ts';

export const support = { aggregates: [supportDesk], purpose: supportPurpose } as const;
