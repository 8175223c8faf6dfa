/** The use case: a person ends their account. */
import { requestErasure } from '../../commands/accounts/pendingErasure.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { sayFarewell } from '../../commands/privacy/farewell.ts';
import { Rejected } from '../../domain/core/decider.ts';
import type { App } from '../http/app.ts';
import type { BlockingReason, DeletionBlocker } from '../http/deletionBlocker.ts';

/** So long blockers are resolved. A proxy may give up a little later. */
const RESOLVING_MS = 30_000;

/** A blocker with the reasons that it has now. */
interface Blocking extends DeletionBlocker {
  readonly reasons: readonly BlockingReason[];
}

const blockingNow = (app: App, person: string, at: string): Promise<Blocking[]> =>
  Promise.all(app.deletionBlockers.map(async (each) => ({ ...each, reasons: await each.find(app, person, at) })));

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
 *    (`commands/privacy/endOfGrace.ts`), unless the person signs in before.
 * 3. Without one the person gets a last e-mail, and is erased now (`erasePerson` in `commands/core/erasure.ts`): tombstone,
 *    keys, account, modules, tables, systems outside. The read models follow the event `PersonErased`.
 *
 * Safe to repeat. @returns when it will be erased (RFC 3339); null: it is, and so much waits for systems outside
 * @throws Rejected `account_in_use`
 */
export const endAccount = async (
  app: App,
  context: CommandContext,
  person: string,
  { resolves }: { readonly resolves: boolean },
): Promise<{ readonly dueAt: string } | { readonly dueAt: null; readonly waitsOutside: number }> => {
  const before = await blockingNow(app, person, context.at);
  // Nothing is cancelled for an account that cannot be deleted anyway.
  refuse(before.filter(({ resolve }) => !resolves || !resolve));
  const until = performance.now() + RESOLVING_MS;
  const found = before.filter(({ reasons }) => reasons.length > 0);
  for (const { resolve } of found) await resolve?.(app, context, person, until);
  const after = found.length > 0 ? await blockingNow(app, person, context.at) : [];
  const left = after.filter(({ reasons }) => reasons.length > 0);
  refuse(left.filter(({ resolvedWithinDays }) => !resolves || resolvedWithinDays === undefined));
  const waits = left.map(({ resolvedWithinDays = 0 }) => resolvedWithinDays);
  const graceDays = Math.max(app.settings.erasureGraceDays, ...waits);
  if (graceDays > 0) return { dueAt: await requestErasure(app, context, person, graceDays) };
  await sayFarewell(app, context, person);
  return { dueAt: null, ...(await app.erase(person)) };
};
