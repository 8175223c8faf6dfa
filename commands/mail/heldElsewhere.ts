/** What this module holds about people outside of tables. */
import type { HeldElsewhere } from '../../infra/holding.ts';
import { mailPurpose } from './purpose.ts';

export const mailElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'e-mails at the mail server and in the mailbox',
    where: 'provider',
    why: mailPurpose,
    kept: { until: 'the mail server has delivered it; the mailbox is its owner’s' },
    exported: 'the person has them',
    erased: 'what was sent cannot be called back; what waits is not sent',
  },
];
