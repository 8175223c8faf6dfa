/**
 * Under which name people are shown. People who do not take part have no row; `display_name` is null once an admin
 * removed it.
 */
import { Type } from '@sinclair/typebox';
import { Nullable, Uuid } from '../../domain/core/schema.ts';
import { leaderboardsPurpose } from '../../domain/leaderboards/index.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

export const leaderboardPeople = readModel('leaderboard_people', {
  version: 3,
  row: Type.Object({
    account_id: Uuid,
    /** Of the choice of the name: it is reported by it. It does not say whose it is. */
    name_id: Uuid,
    display_name: Nullable(Type.String()),
    removal_reason: Nullable(Type.String()),
  }),
  key: 'account_id',
  indexes: ['name_id'],
  personalData: {
    whose: 'account_id',
    texts: ['display_name', 'removal_reason'],
    erased: 'deleted',
    why: leaderboardsPurpose,
    retention: { until: 'the person leaves the leaderboards' },
  },
  on: {
    LeaderboardJoined: (_, { id, data }) => ({
      account_id: data.accountId,
      name_id: id,
      display_name: data.displayName,
      removal_reason: null,
    }),
    LeaderboardNameRemoved: (row, { data }) =>
      row ? { ...row, display_name: null, removal_reason: data.reason } : null,
    LeaderboardNameRestored: (row, { data }) =>
      row ? { ...row, display_name: row.display_name ?? data.displayName, removal_reason: null } : null,
    LeaderboardLeft: () => null,
  },
});
export type LeaderboardPerson = RowOf<typeof leaderboardPeople>;

const peopleBy = (db: ReadDb, column: 'account_id' | 'name_id', ids: readonly string[]): Promise<LeaderboardPerson[]> =>
  tables(db, leaderboardPeople).selectFrom('leaderboard_people').selectAll().where(isAnyOf(column, ids)).execute();

/** Those of the accounts who take part, by account. */
export const peopleOf = async (
  db: ReadDb,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, LeaderboardPerson>> =>
  new Map((await peopleBy(db, 'account_id', accountIds)).map((person) => [person.account_id, person]));

/** Those who still have these names, or had them when they were removed. */
export const peopleByNames = (db: ReadDb, nameIds: readonly string[]): Promise<LeaderboardPerson[]> =>
  peopleBy(db, 'name_id', nameIds);
