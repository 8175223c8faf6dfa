/** What people have consented to: their last answer for each purpose. */

import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { Answer } from '../../domain/consents/consent.ts';
import { consentsPurpose } from '../../domain/consents/index.ts';
import { Purpose, type Purpose as PurposeName, purposes } from '../../domain/consents/policy.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import type { EventOf } from '../../domain/modules.ts';
import { snakeSchema } from '../../infra/naming.ts';
import { userChannel } from '../accounts/channels.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { versionsInForce } from './policies.ts';

const Answered = Type.Object({
  purpose: Purpose,
  ...snakeSchema(Answer).properties,
  /** When it was answered. */
  at: Instant,
});

/** The row of an answer. */
export const answeredRow = ({ streamId, at, meta, data }: Recorded<EventOf<'ConsentAnswered'>>) => ({
  account_id: streamId,
  purpose: data.purpose,
  policy_version: data.policyVersion,
  granted: data.granted,
  at,
  ip: meta.ip,
  user_agent: data.userAgent,
});

export const consents = readModel('consents', {
  version: 1,
  row: Type.Object({
    account_id: Uuid,
    ...Answered.properties,
    ip: Nullable(Type.String()),
    user_agent: Nullable(Type.String()),
  }),
  key: ['account_id', 'purpose'],
  personalData: {
    whose: 'account_id',
    texts: ['ip', 'user_agent'],
    why: consentsPurpose,
    retention: { until: 'another answer replaces it; `consent_records` keeps all' },
  },
  on: {
    ConsentAnswered: {
      keys: ({ streamId: account_id, data: { purpose } }) => [{ account_id, purpose }],
      fold: (_, event) => answeredRow(event),
    },
    /** Whoever is erased consents to nothing any more. */
    PersonErased: {
      keys: ({ streamId: account_id }) => purposes.map((purpose) => ({ account_id, purpose })),
      fold: (row) => (row ? { ...row, granted: false } : null),
    },
  },
  indexes: ['purpose, account_id'],
  announce: (keys) => keys.map(({ account_id }) => account_id),
  publishTo: [{ channel: userChannel, idsOf: ({ account_id }) => [account_id], audience: 'guest' }],
  wire: wireForm(Answered, (row: Static<typeof Answered>) => row),
});
export type ConsentRow = RowOf<typeof consents>;

/** The last answers of a person. */
export const consentsOf = (db: ReadDb, person: string): Promise<ConsentRow[]> =>
  tables(db, consents).selectFrom('consents').selectAll().where('account_id', '=', person).execute();

/** Those of these people who consent to a purpose, by the text that is in force. */
export const withConsent = async (
  db: ReadDb,
  purpose: PurposeName,
  people: readonly string[],
): Promise<ReadonlySet<string>> => {
  const versions = await versionsInForce(db);
  const found = await tables(db, consents)
    .selectFrom('consents')
    .select('account_id')
    .where(sql<boolean>`account_id = any(${people}::uuid[])`)
    .where('purpose', '=', purpose)
    .where('granted', '=', true)
    .where('policy_version', '=', versions[purpose].version)
    .execute();
  return new Set(found.map(({ account_id }) => account_id));
};
