/** What this module holds about people outside of tables. */

import { accountsPurpose } from '../../domain/accounts/purpose.ts';
import type { HeldElsewhere } from '../../infra/holding.ts';

export const accountsElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'phone numbers and texts at the SMS gateway',
    where: 'provider',
    why: accountsPurpose,
    kept: { until: 'the contract with the gateway says' },
    exported: 'the person has them',
    erased: 'nothing is sent any more',
    seenBy: ['provider'],
  },
  {
    what: 'that the person signs in here, at VK, Yandex or another identity provider that they chose',
    where: 'provider',
    why: accountsPurpose,
    kept: { until: 'the person removes the access there' },
    exported: 'the person sees it there',
    erased: 'the link is given back here; the person ends it there',
    seenBy: ['provider'],
  },
];
