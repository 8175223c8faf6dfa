/** Who has which badge. */

import { type Static, Type } from '@sinclair/typebox';
import type { HolderEvent } from '../../domain/badges/holder.ts';
import { badgesPurpose } from '../../domain/badges/index.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { userChannel } from '../accounts/channels.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';

const shown = { badge_id: Uuid, awarded_at: Instant };
const Row = Type.Object({ account_id: Uuid, ...shown });
/** As its holder is told of it. */
const BadgeAward = Type.Object(shown, { $id: 'BadgeAward' });

const keys = ({ data }: HolderEvent) => [{ account_id: data.accountId, badge_id: data.badgeId }];

export const badgeAwards = readModel('badge_awards', {
  version: 1,
  row: Row,
  key: ['account_id', 'badge_id'],
  personalData: { whose: 'account_id', why: badgesPurpose, retention: 'account', erased: 'deleted' },
  wire: wireForm(BadgeAward, ({ badge_id, awarded_at }: Static<typeof Row>) => ({ badge_id, awarded_at })),
  on: {
    BadgeAwarded: {
      keys,
      fold: (_, { at, data }) => ({ account_id: data.accountId, badge_id: data.badgeId, awarded_at: at }),
    },
    BadgeRevoked: { keys, fold: () => null },
  },
  indexes: ['badge_id'],
  publishTo: [{ channel: userChannel, idsOf: ({ account_id }) => [account_id], audience: 'guest' }],
});

/** Badge → since when the person has it. */
export const awardsOf = async (db: ReadDb, accountId: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await tables(db, badgeAwards)
    .selectFrom('badge_awards')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute();
  return new Map(rows.map(({ badge_id, awarded_at }) => [badge_id, awarded_at]));
};

/** How many people have a badge. */
export const countHolders = async (db: ReadDb, badgeId: string): Promise<number> => {
  const { people } = await tables(db, badgeAwards)
    .selectFrom('badge_awards')
    .select((e) => e.fn.countAll<number>().as('people'))
    .where('badge_id', '=', badgeId)
    .executeTakeFirstOrThrow();
  return people;
};
