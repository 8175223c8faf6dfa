/** Who may negotiate a call: the two people, from the first ring to the end. */

import { Type } from '@sinclair/typebox';
import { callsPurpose } from '../../domain/calls/index.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { callChannel } from './channels.ts';

interface OfCall {
  readonly streamId: string;
  readonly data: { readonly callerId: string; readonly calleeId: string };
}
const keys = ({ streamId: call_id, data: { callerId, calleeId } }: OfCall) =>
  [callerId, calleeId].map((account_id) => ({ call_id, account_id }));
const gone = { keys, fold: () => null };

export const callParties = readModel('call_parties', {
  version: 1,
  row: Type.Object({ call_id: Uuid, account_id: Uuid }),
  key: ['call_id', 'account_id'],
  personalData: { whose: 'account_id', why: callsPurpose, retention: { until: 'the call ends' }, erased: 'deleted' },
  on: {
    CallStarted: { keys, fold: (_row, _event, key) => key },
    CallRejected: gone,
    CallMissed: gone,
    CallEnded: gone,
  },
  entity: 'call_party',
  publishTo: [
    {
      channel: callChannel,
      idsOf: ({ call_id }) => [call_id],
      audience: 'guest',
      memberOf: ({ account_id }) => account_id,
    },
  ],
});

export const isInCall = async (db: ReadDb, callId: string, accountId: string): Promise<boolean> => {
  const found = await tables(db, callParties)
    .selectFrom('call_parties')
    .select('call_id')
    .where('call_id', '=', callId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return found !== undefined;
};
