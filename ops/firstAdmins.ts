/** The first admins of a new installation, whom the admin token makes. */
import { allAdmins } from '../commands/accounts/admins.ts';
import { DAY_MS, instantOf } from '../domain/core/instants.ts';
import type { Pool } from '../infra/postgres.ts';
import { hasAdmin, isSince } from '../projections/accounts/accounts.ts';
import type { ReadDb } from '../projections/engine/readDb.ts';

/**
 * Whether an installation may still make an admin with the token: it has none, or one, who was made within a day. Those two
 * count as two people for decisions about money. The table of commands survives a restore; the read model knows an admin who
 * was made a moment ago.
 */
export const lacksAdmins = async (pool: Pool, db: ReadDb, now: Date): Promise<boolean> => {
  const [first, second] = await allAdmins(pool);
  if (first === undefined) return !(await hasAdmin(db));
  return second === undefined && (await isSince(db, first, instantOf(now.getTime() - DAY_MS)));
};
