/** What people want to reach. */

import { Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import { trackingPurpose } from '../../domain/tracking/index.ts';
import { Target } from '../../domain/tracking/target.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

const keys = ({ data }: { readonly data: { readonly targetId: string } }) => [{ id: data.targetId }];

export const trackingTargetModel = readModel('tracking_targets', {
  version: 1,
  row: Type.Object({ id: Uuid, account_id: Uuid, ...Target.properties }),
  key: 'id',
  personalData: {
    whose: 'account_id',
    why: trackingPurpose,
    retention: 'account',
    erased: 'deleted',
    seenBy: ['self'],
  },
  on: {
    TrackingTargetSet: {
      keys,
      fold: (_, { streamId, data: { targetId, ...target } }) => ({ id: targetId, account_id: streamId, ...target }),
    },
    TrackingTargetRemoved: { keys, fold: () => null },
  },
  indexes: ['account_id, metric, period'],
});
export type TrackingTargetRow = RowOf<typeof trackingTargetModel>;

/** At most one for each metric and period. */
export const targetsOf = (db: ReadDb, accountId: string): Promise<TrackingTargetRow[]> =>
  tables(db, trackingTargetModel)
    .selectFrom('tracking_targets')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('metric')
    .orderBy('period')
    .execute();
