/** The erasure of an account whose person asked for it, once the grace period is over. */

import { account } from '../../domain/accounts/account.ts';
import { certificateOf } from '../core/certificateParts.ts';
import { dropExpected, expectCertificate } from '../core/certificates.ts';
import type { CoreDeps } from '../core/deps.ts';
import { defineJob } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { isAccepted } from '../core/refusals.ts';
import type { MailDeps } from '../mail/mailTo.ts';
import { sayFarewell } from './farewell.ts';

/** Erases the person, unless they have signed in since. The farewell goes out once, however often the erasure is repeated. */
export const endOfGrace = defineJob<{ readonly dueAt: string }, CoreDeps & MailDeps>(
  'end_of_erasure_grace',
  async ({ id, data: { dueAt } }, { deps, context }) => {
    const hasBegun = await isAccepted(async () => {
      const { events } = await deps.aggregates.handle(account, id, { type: 'BeginErasure', dueAt }, context);
      if (events.length > 0) await sayFarewell(deps, context, id);
    });
    // Otherwise it was withdrawn, or an operator has erased the person before.
    if (hasBegun) await deps.erase(id);
    return undefined;
  },
);

export const privacyPolicy = policy<CoreDeps>('privacy', {
  ErasureRequested: async ({ streamId: id, at, data: { dueAt } }, { deps, context }) => {
    await endOfGrace.schedule(deps.jobs, context, { id, dueAt, data: { dueAt } });
    await expectCertificate(deps.pool, certificateOf(deps.vault, id), { at, dueAt });
  },
  ErasureWithdrawn: ({ streamId: id }, { deps }) => dropExpected(deps.pool, certificateOf(deps.vault, id)),
});
