/** The use case: a person ends their account. */
import { requestErasure } from '../../commands/accounts/pendingErasure.ts';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { certificateById } from '../../commands/core/certificates.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { sayFarewell } from '../../commands/privacy/farewell.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { sleep } from '../../infra/retry.ts';
import type { App } from '../http/app.ts';
import { type Blocking, blockingNow, resolveAll } from './settling.ts';

/** So long a request cancels what is still to come. A job goes on with it. */
const RESOLVING_MS = 2_000;
/** So long after its request an account is erased at the earliest if something is left then: the person may sign in. */
const LEFT_MS = HOUR_MS;
/** So long a request waits for an erasure that has begun. */
const ERASING_MS = 5_000;

/** @throws Rejected `account_in_use` if there are reasons */
const refuse = (blocking: readonly Blocking[]): void => {
  const reasons = blocking.flatMap((each) => each.reasons);
  if (reasons.length > 0)
    throw new Rejected('account_in_use', reasons.map(({ detail }) => detail).join(' '), { reasons });
};

/**
 * Ends an account for good:
 * 1. What blocks it is refused. With `resolves`, bookings and purchases that are still to come are cancelled first, if
 *    nothing else blocks it; money that is due to the person then no longer blocks, but delays the erasure until it is paid.
 * 2. In a grace period (`ERASURE_GRACE_DAYS`) the account closes at once, and a job erases it at the end
 *    (`commands/privacy/endOfGrace.ts`), unless the person signs in before. So it does when there is more to cancel than the
 *    request has time for: the job goes on with it.
 * 3. Without one the person gets a last e-mail, and is erased now (`erasePerson` in `commands/core/erasure.ts`): tombstone,
 *    keys, account, modules, tables, systems outside. The read models follow the event `PersonErased`.
 *
 * Safe to repeat.
 * @returns when it will be erased (RFC 3339); null: it is, or is being erased: `isOver` says whether nothing is left to do
 * @throws Rejected `account_in_use`
 */
export const endAccount = async (
  app: App,
  context: CommandContext,
  person: string,
  { resolves, forMs = RESOLVING_MS }: { readonly resolves: boolean; readonly forMs?: number },
): Promise<{ readonly dueAt: string } | { readonly dueAt: null; readonly isOver: boolean }> => {
  const before = await blockingNow(app, app.deletionBlockers, person, context.at);
  // Nothing is cancelled for an account that cannot be deleted anyway.
  refuse(before.filter(({ resolve }) => !resolves || !resolve));
  const until = performance.now() + forMs;
  const found = before.filter(({ reasons }) => reasons.length > 0);
  const isAllTried = await resolveAll(app, found, context, { person, until });
  const after = found.length > 0 ? await blockingNow(app, app.deletionBlockers, person, context.at) : [];
  const left = after.filter(({ reasons }) => reasons.length > 0);
  const isForJob = ({ resolve, resolvedWithinDays }: Blocking) =>
    resolvedWithinDays !== undefined || (resolve !== undefined && !isAllTried);
  refuse(left.filter((each) => !isForJob(each)));
  const days = left.map(({ resolvedWithinDays = 0 }) => resolvedWithinDays);
  const graceDays = Math.max(app.settings.erasureGraceDays, ...days);
  const graceMs = Math.max(graceDays * DAY_MS, left.length > 0 ? LEFT_MS : 0);
  if (graceMs > 0) return { dueAt: await requestErasure(app, context, person, graceMs) };
  await sayFarewell(app, context, person);
  return { dueAt: null, isOver: await eraseFor(app, person) };
};

/**
 * Erases a person, and waits for it for some seconds: then it goes on without the request, in this process, or in a worker if
 * the process ends. @returns whether it is over, and systems outside have confirmed it
 */
const eraseFor = async (app: App, person: string): Promise<boolean> => {
  const erasing = app.erase(person).then(({ waitsOutside }) => waitsOutside === 0);
  const waited = new AbortController();
  const inTime = await Promise.race([erasing, sleep(ERASING_MS, waited.signal)]).finally(() => waited.abort());
  // Once its certificate has begun, it goes on whatever happens.
  if (inTime !== undefined || !(await hasBegun(app, person).catch(() => false))) return erasing;
  erasing.catch((err: unknown) => app.log.warn({ err, person }, 'an erasure was not completed and is repeated'));
  return false;
};

const hasBegun = async ({ pool, vault }: App, person: string): Promise<boolean> =>
  (await certificateById(pool, certificateOf(vault, person)))?.dueAt === null;
