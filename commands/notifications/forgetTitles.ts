/** What a seller has called something is theirs, also where others were told of it. */
import type { CoreDeps } from '../core/deps.ts';
import type { ErasureStep } from '../core/erasure.ts';

/** SQL of `params` that no longer say what something was called. */
export const WITHOUT_TITLE = `params || '{"title": null}'`;

/**
 * Takes the titles of what an erased seller offered out of the notifications of others: those whose params have the seller
 * as `owner_id`. Their texts then say what it was. What is told later is written without (`addNotifications.ts`).
 */
export const forgetTitles: ErasureStep<Pick<CoreDeps, 'pool'>> = async ({ pool }, _context, person) => {
  await pool.query(
    `update ops.notifications set params = ${WITHOUT_TITLE}
     where params ? 'owner_id' and params ->> 'owner_id' = $1 and params ->> 'title' is not null`,
    [person],
  );
};
