/** Commission rules as admins see them. The commission of a booking is decided on the log, not here. */

import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { Role } from '../../domain/accounts/role.ts';
import { BookingType } from '../../domain/catalog/bookableItem.ts';
import { commissionRuleNames, RateBps } from '../../domain/commissions/commission.ts';
import { type RateScope, scopeKey } from '../../domain/commissions/commissionRules.ts';
import { commissionsPurpose } from '../../domain/commissions/index.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

/** The scope of a rule as columns. */
export const scopeColumns = (scope: RateScope) => ({
  rule: scope.rule,
  owner_id: scope.rule === 'owner' ? scope.ownerId : null,
  role: scope.rule === 'role' || scope.rule === 'type_role' ? scope.role : null,
  type: scope.rule === 'type_role' ? scope.type : null,
});

const keys = ({ data }: { data: { scope: RateScope } }) => [{ scope: scopeKey(data.scope) }];

export const commissionRules = readModel('commission_rules', {
  version: 1,
  row: Type.Object({
    /** The scope as one text. */
    scope: Type.String(),
    rule: OneOf(commissionRuleNames),
    owner_id: Nullable(Uuid),
    role: Nullable(Role),
    type: Nullable(BookingType),
    rate_bps: RateBps,
    updated_at: Instant,
    /** Id of the account that set it. */
    updated_by: Type.String(),
  }),
  key: 'scope',
  personalData: {
    whose: 'owner_id',
    why: commissionsPurpose,
    retention: { until: 'another rate replaces it' },
    erased: { kept: 'an agreed rate, by id' },
    others: { updated_by: keptBecause.doneBy },
  },
  on: {
    CommissionRateSet: {
      keys,
      fold: (_, { at, meta, data }, { scope }) => ({
        scope,
        ...scopeColumns(data.scope),
        rate_bps: data.rateBps,
        updated_at: at,
        updated_by: meta.actor.id,
      }),
    },
    CommissionRateRemoved: { keys, fold: () => null },
  },
  indexes: ['owner_id'],
});
export type CommissionRuleRow = RowOf<typeof commissionRules>;

export const commissionRule = (db: ReadDb, scope: RateScope): Promise<CommissionRuleRow | undefined> =>
  tables(db, commissionRules)
    .selectFrom('commission_rules')
    .selectAll()
    .where('scope', '=', scopeKey(scope))
    .executeTakeFirst();

/** By role, then by type. */
export const roleRules = (db: ReadDb): Promise<CommissionRuleRow[]> =>
  tables(db, commissionRules)
    .selectFrom('commission_rules')
    .selectAll()
    .where('role', 'is not', null)
    .orderBy('role')
    .orderBy('scope')
    .execute();

/** General rules first: global, by role, by role and type, by owner. */
export const listCommissionRules = (db: ReadDb, paging: Paging): Promise<Page<CommissionRuleRow>> => {
  const rank = sql`array_position(array['global', 'role', 'type_role', 'owner'], rule)`;
  return pageOf(
    db,
    tables(db, commissionRules).selectFrom('commission_rules').selectAll().orderBy(rank).orderBy('scope'),
    paging,
  );
};
