/** Days as devices have counted them. */

import { Type } from '@sinclair/typebox';
import { DateOnly, Uuid } from '../../domain/core/schema.ts';
import { trackingPurpose } from '../../domain/tracking/index.ts';
import { DayTotals } from '../../domain/tracking/summary.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { readModel } from '../engine/readModel.ts';

export const reportedDays = readModel('tracking_reported_days', {
  version: 1,
  row: Type.Object({ account_id: Uuid, day: DateOnly, ...snakeSchema(DayTotals).properties }),
  key: ['account_id', 'day'],
  personalData: { whose: 'account_id', why: trackingPurpose, retention: 'account', erased: 'deleted' },
  on: {
    TrackingDayReported: {
      keys: ({ data }) => [{ account_id: data.accountId, day: data.day }],
      fold: (_, { data }) => ({ account_id: data.accountId, day: data.day, ...toSnake(data.totals) }),
    },
  },
});
