/** What blocks the deletion of an account until it has ended. Each module says it for what it has of the person. */

import { type Static, Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { unlessRejected } from '../../commands/core/refusals.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';

export const BlockingReason = Type.Object(
  {
    reason: Type.String({ description: 'A word for apps, such as `bookings_ahead`.' }),
    detail: Type.String({ description: 'What to do about it.' }),
    ids: Type.Array(Type.String(), { description: 'Of what it is about, up to 100.' }),
  },
  { $id: 'AccountHindrance' },
);
export type BlockingReason = Static<typeof BlockingReason>;

const MOST_NAMED = 100;

/** What blockers get: a part of `App`, which has the blockers. */
export interface BlockerDeps extends CommandDeps {
  readonly db: ReadDb;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

export interface DeletionBlocker {
  find(app: BlockerDeps, person: string, at: string): Promise<readonly BlockingReason[]>;
  /**
   * Ends it on the person's behalf, where that is possible without them. Safe to repeat.
   * @param until on the clock of `performance`: what is left then still stands in the way
   */
  resolve?(app: BlockerDeps, context: CommandContext, person: string, until: number): Promise<void>;
  /**
   * What `resolve` leaves does not stand in the way: the account closes at once, and is erased after so many days, in which
   * others end it.
   */
  readonly resolvedWithinDays?: number;
}

/** Those of `ids` that still stand, up to `MOST_NAMED`: the read model that has them may be a moment old. */
export const standing = async (ids: readonly string[], stands: (id: string) => Promise<boolean>): Promise<string[]> => {
  const found: string[] = [];
  for (let n = 0; n < ids.length && found.length < MOST_NAMED; n += MOST_NAMED) {
    const next = ids.slice(n, n + MOST_NAMED);
    const stand = await Promise.all(next.map(stands));
    found.push(...next.filter((_, k) => stand[k]));
  }
  return found.slice(0, MOST_NAMED);
};

/** Ends them one after the other, and begins none after `until`. What has ended meanwhile is passed over. */
export const endAll = async (
  ids: readonly string[],
  end: (id: string) => Promise<unknown>,
  until: number,
): Promise<void> => {
  for (const id of ids) {
    if (performance.now() >= until) return;
    await unlessRejected(() => end(id), 'invalid_transition');
  }
};
