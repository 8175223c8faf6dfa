/** Every revision of the planner's configuration; the last one is in force. */

import { Type } from '@sinclair/typebox';
import { Revision } from '../../domain/core/revision.ts';
import { Instant, Nullable } from '../../domain/core/schema.ts';
import { ChangeReason } from '../../domain/flags/flagRules.ts';
import { PlanConfig } from '../../domain/plans/config.ts';
import { type PlanConfigState, planConfig } from '../../domain/plans/planConfig.ts';
import { actsOfAdmins } from '../../infra/personalData.ts';
import { keptTable } from '../engine/keptTable.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

export const planConfigRevisions = readModel('plan_config_revisions', {
  version: 1,
  row: Type.Object({
    revision: Revision,
    config: PlanConfig,
    reason: Nullable(ChangeReason),
    changed_at: Instant,
    changed_by: Type.String({ description: 'Id of the account that changed it.' }),
  }),
  key: 'revision',
  personalData: actsOfAdmins,
  on: {
    PlanConfigChanged: {
      keys: ({ data: { revision } }) => [{ revision }],
      fold: (_, { at, meta, data: { revision, config, reason } }) => ({
        revision,
        config,
        reason,
        changed_at: at,
        changed_by: meta.actor.id,
      }),
    },
  },
  announce: () => ['config'],
});

const newestFirst = (db: ReadDb) =>
  tables(db, planConfigRevisions).selectFrom('plan_config_revisions').selectAll().orderBy('revision', 'desc');

export const listPlanConfigRevisions = (db: ReadDb, paging: Paging): Promise<Page<RowOf<typeof planConfigRevisions>>> =>
  pageOf(db, newestFirst(db), paging);

/** The configuration in force, from memory. */
export const planConfigNow = keptTable([planConfigRevisions], async ({ db }): Promise<PlanConfigState> => {
  const found = await newestFirst(db).limit(1).executeTakeFirst();
  const { initial, evolve } = planConfig;
  return found ? evolve(initial, { type: 'PlanConfigChanged', data: found }) : initial;
});
