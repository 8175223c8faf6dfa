/** Under which name people are shown. Who does not take part has no row. */

import { Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import { leaderboardsPurpose } from '../../domain/leaderboards/purpose.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

export const leaderboardPeople = readModel('leaderboard_people', {
  version: 1,
  row: Type.Object({ account_id: Uuid, display_name: Type.String() }),
  key: 'account_id',
  personal: {
    of: 'account_id',
    texts: ['display_name'],
    why: leaderboardsPurpose,
    kept: { until: 'the person leaves the leaderboards' },
  },
  on: {
    LeaderboardJoined: (_, { data }) => ({ account_id: data.accountId, display_name: data.displayName }),
    LeaderboardLeft: () => null,
  },
});
export type LeaderboardPerson = RowOf<typeof leaderboardPeople>;

/** Account → display name. */
export const namesOf = async (db: ReadDb, accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const rows = await tables(db, leaderboardPeople)
    .selectFrom('leaderboard_people')
    .selectAll()
    .where(isAnyOf('account_id', accountIds))
    .execute();
  return new Map(rows.map(({ account_id, display_name }) => [account_id, display_name]));
};
