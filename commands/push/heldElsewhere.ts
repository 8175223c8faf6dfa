/** What this module holds about people outside of tables. */

import { pushPurpose } from '../../domain/push/purpose.ts';
import type { HeldElsewhere } from '../../infra/holding.ts';

export const pushElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'device tokens and messages at FCM, APNs and Web Push services (bodies of Web Push are encrypted)',
    where: 'provider',
    why: pushPurpose,
    kept: { until: 'the message is delivered or expires, at the service' },
    exported: '`ops.push_devices` and `ops.push_messages`',
    erased: 'nothing is sent any more; the service forgets a token with the app',
  },
];
