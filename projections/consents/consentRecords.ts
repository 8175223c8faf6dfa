/** Every answer about a consent, in the order of the log: the proof of what was agreed to, when and from where. */

import { Type } from '@sinclair/typebox';
import { consentsPurpose } from '../../domain/consents/index.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';
import { answeredRow, consents } from './consents.ts';

const { account_id, ...answer } = consents.row.properties;

export const consentRecords = readModel('consent_records', {
  version: 1,
  row: Type.Object({
    id: Uuid,
    account_id,
    ...answer,
    /** In the stream of the account: the order of answers that have the same time. */
    revision: Type.Integer(),
  }),
  key: 'id',
  insertOnly: true,
  personalData: {
    whose: 'account_id',
    texts: ['ip', 'user_agent'],
    why: consentsPurpose,
    retention: {
      always: 'that and when was consented has to be proved; the address and the program go with the account',
    },
  },
  on: {
    ConsentAnswered: {
      keys: ({ id }) => [{ id }],
      fold: (_, event) => ({ id: event.id, ...answeredRow(event), revision: Number(event.revision) }),
    },
  },
  indexes: ['account_id, revision desc'],
});
export type ConsentRecordRow = RowOf<typeof consentRecords>;

/** Newest first. */
export const listConsentRecords = (db: ReadDb, person: string, paging: Paging): Promise<Page<ConsentRecordRow>> =>
  pageOf(
    db,
    tables(db, consentRecords)
      .selectFrom('consent_records')
      .selectAll()
      .where('account_id', '=', person)
      .orderBy('revision', 'desc'),
    paging,
  );
