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
   * @param until on the clock of `performance`: nothing is begun after it
   * @returns whether all of it was tried: what is left then is not ended by another attempt at once
   */
  resolve?(app: BlockerDeps, context: CommandContext, person: string, until: number): Promise<boolean>;
  /**
   * What `resolve` leaves does not stand in the way: the account closes at once, and is erased after so many days, in which
   * others end it.
   */
  readonly resolvedWithinDays?: number;
}

/** Ids, some at a time: a person can have very many. */
export type Pages = AsyncIterable<readonly string[]>;

/** Those that still stand, up to `MOST_NAMED`: the read model that has them may be a moment old. */
export const standing = async (pages: Pages, stands: (id: string) => Promise<boolean>): Promise<string[]> => {
  const found: string[] = [];
  for await (const ids of pages) {
    const stand = await Promise.all(ids.map(stands));
    found.push(...ids.filter((_, n) => stand[n]));
    if (found.length >= MOST_NAMED) break;
  }
  return found.slice(0, MOST_NAMED);
};

/**
 * Ends them one after the other, and begins none after `until`, or when the process stops. What has ended meanwhile is
 * passed over. One that fails keeps no other from its end.
 * @returns whether all were tried
 * @throws the first failure, when all were tried, or none was ended
 */
export const endAll = async (
  { stopping }: Pick<BlockerDeps, 'stopping'>,
  pages: Pages,
  end: (id: string) => Promise<unknown>,
  until: number,
): Promise<boolean> => {
  const failures: unknown[] = [];
  let ended = 0;
  for await (const ids of pages)
    for (const id of ids) {
      if (performance.now() >= until || stopping.aborted) {
        if (failures.length > 0 && ended === 0) throw failures[0];
        return false;
      }
      await unlessRejected(() => end(id), 'invalid_transition').then(
        () => {
          ended += 1;
        },
        (error: unknown) => {
          if (failures.length === 0) failures.push(error);
        },
      );
    }
  if (failures.length > 0) throw failures[0];
  return true;
};
