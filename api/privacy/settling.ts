/** Ends what stands in the way of the end of an account, and says what is left. */
import type { CommandContext } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import type { BlockerDeps, BlockingReason, DeletionBlocker } from '../http/deletionBlocker.ts';

/** A blocker with the reasons that it has now. */
export interface Blocking extends DeletionBlocker {
  readonly reasons: readonly BlockingReason[];
}

export const blockingNow = (
  app: BlockerDeps,
  blockers: readonly DeletionBlocker[],
  person: string,
  at: string,
): Promise<Blocking[]> =>
  Promise.all(blockers.map(async (each) => ({ ...each, reasons: await each.find(app, person, at) })));

/** Has each end what it can. @returns whether all was tried; false: `until` came, on the clock of `performance` */
export const resolveAll = async (
  app: BlockerDeps,
  blockers: readonly DeletionBlocker[],
  context: CommandContext,
  { person, until }: { readonly person: string; readonly until: number },
): Promise<boolean> => {
  for (const { resolve } of blockers) if (resolve && !(await resolve(app, context, person, until))) return false;
  return true;
};

/** So long a job does it before it looks whether the person still wants to go. */
const SLICE_MS = 5_000;

/**
 * How a job goes on with it (`commands/privacy/endOfGrace.ts`). Money that is due to the person does not matter to it: the
 * account waits for that as long as was said when it closed.
 */
export const settlingWith =
  (deps: CommandDeps, blockers: readonly DeletionBlocker[], sliceMs = SLICE_MS): CommandDeps['settle'] =>
  async (context, person, stopping) => {
    const app = { ...deps, db: readDb(deps.pool), stopping };
    const ended = blockers.filter(({ resolve, resolvedWithinDays }) => resolve && resolvedWithinDays === undefined);
    const until = performance.now() + sliceMs;
    for (const each of ended) {
      // What fails keeps nothing else from its end: it is found below.
      const isTried = await resolveAll(app, [each], context, { person, until }).catch((err: unknown) => {
        deps.log.warn({ err, person }, 'what is ahead of an account that closes could not be ended');
        return true;
      });
      if (!isTried) return 'more';
    }
    const left = (await blockingNow(app, ended, person, context.at)).flatMap(({ reasons }) => reasons);
    for (const { reason, ids } of left)
      deps.log.warn({ reason, ids }, 'an account that closes waits for what is ahead');
    return left.length > 0 ? 'stuck' : 'settled';
  };
