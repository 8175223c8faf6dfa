/**
 * The end of an account whose person asked for it, and that was not erased at once: there is a grace period, or more was
 * still to come than the request could cancel. First the job cancels what is left. Then it waits for the end of the grace
 * period, and erases.
 */

import { account } from '../../domain/accounts/account.ts';
import { addMs, DAY_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { linkSignals } from '../../infra/retry.ts';
import { certificateOf } from '../core/certificateParts.ts';
import { dropExpected, expectCertificate } from '../core/certificates.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { isAccepted } from '../core/refusals.ts';
import type { MailDeps } from '../mail/mailTo.ts';
import { sayFarewell } from './farewell.ts';

/** What could not be cancelled is tried again after this time. */
const AGAIN_MS = 10 * MINUTE_MS;
/** So long after the end of the grace period the erasure waits for it. Then it stays as it is. */
const LONGEST_MS = 30 * DAY_MS;

/** Erases the person, unless they have signed in since. The farewell goes out once, however often the erasure is repeated. */
export const endOfGrace = defineJob<{ readonly dueAt: string }, CoreDeps & MailDeps>(
  'end_of_erasure_grace',
  async ({ id, data: { dueAt }, stopping, lost }, { deps, context }) => {
    const ending = linkSignals(...[stopping, lost].filter((each) => each !== undefined));
    const againAt = await settled(deps, context, { id, dueAt }, ending.signal).finally(ending.end);
    if (againAt !== undefined) return { againAt };
    const hasBegun = await isAccepted(async () => {
      const { events } = await deps.aggregates.handle(account, id, { type: 'BeginErasure', dueAt }, context);
      if (events.length > 0) await sayFarewell(deps, context, id);
    });
    // Otherwise it was withdrawn, or an operator has erased the person before.
    if (hasBegun) await deps.erase(id);
    return undefined;
  },
);

/** Cancels what is still to come for some seconds. @returns when to go on; undefined: nothing keeps the erasure any more */
const settled = async (
  deps: CoreDeps,
  context: CommandContext,
  { id, dueAt }: { readonly id: string; readonly dueAt: string },
  ending: AbortSignal,
): Promise<string | undefined> => {
  const { state } = await deps.aggregates.load(account, id);
  // Whoever has signed in keeps the account, and what is left of their bookings.
  if (state.status === 'none' || state.isEnding || state.erasure?.dueAt !== dueAt) return undefined;
  const { at } = context;
  const latest = addMs(dueAt, LONGEST_MS);
  if (at >= latest) return undefined;
  const own = { ...context, actor: { kind: 'user', id, role: state.erasure.role } } as const;
  const found = await deps.settle(own, id, ending);
  if (found === 'more') return at;
  if (found === 'stuck') return [addMs(at, AGAIN_MS), latest].toSorted()[0];
  return at < dueAt ? dueAt : undefined;
};

export const privacyPolicy = policy<CoreDeps>('privacy', {
  ErasureRequested: async ({ streamId: id, at, data: { dueAt } }, { deps, context }) => {
    await endOfGrace.schedule(deps.jobs, context, { id, dueAt: at, data: { dueAt } });
    await expectCertificate(deps.pool, certificateOf(deps.vault, id), { at, dueAt });
  },
  ErasureWithdrawn: ({ streamId: id }, { deps }) => dropExpected(deps.pool, certificateOf(deps.vault, id)),
});
