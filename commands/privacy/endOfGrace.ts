/** The erasure of an account whose person asked for it, once the grace period is over. */
import { account } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { certificateOf, dropExpected, expectCertificate } from '../core/certificates.ts';
import type { CoreDeps } from '../core/deps.ts';
import { defineJob } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { MailDeps } from '../mail/mailTo.ts';
import { sayFarewell } from './farewell.ts';

/** Erases the person, unless they have signed in since. The farewell goes out once, however often the erasure is repeated. */
export const endOfGrace = defineJob<{ readonly dueAt: string }, CoreDeps & MailDeps>(
  'end_of_erasure_grace',
  async ({ id, data: { dueAt } }, { deps, context }) => {
    try {
      const { events } = await deps.aggregates.handle(account, id, { type: 'BeginErasure', dueAt }, context);
      if (events.length > 0) await sayFarewell(deps, context, id);
    } catch (error) {
      // It was withdrawn, or an operator has erased the person before.
      if (error instanceof Rejected) return undefined;
      throw error;
    }
    await deps.erase(id);
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
