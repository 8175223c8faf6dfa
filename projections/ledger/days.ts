/** What each day (UTC) has changed on the accounts of owners, so that a balance of before does not need all lines of before. */
import { type Static, Type } from '@sinclair/typebox';
import { exactSum } from '../../domain/core/money.ts';
import { Currency, DateOnly, MinorSum } from '../../domain/core/schema.ts';
import { ledgerPurpose } from '../../domain/ledger/index.ts';
import { changesOn, ownerOf } from '../../domain/ledger/ledger.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { onEventsWith, readModel } from '../engine/readModel.ts';

const Row = Type.Object({
  account: Type.String(),
  currency: Currency,
  day: DateOnly,
  /** Debits positive, credits negative. */
  change_minor: MinorSum,
});
type Row = Static<typeof Row>;

export const ledgerDays = readModel('ledger_days', {
  version: 1,
  row: Row,
  key: ['account', 'currency', 'day'],
  personalData: {
    whose: null,
    why: ledgerPurpose,
    retention: forTheBooks,
    exported: 'as a part of `ledger_entries`',
  },
  on: onEventsWith('postings', {
    keys: ({ at, data: { postings, currency } }) =>
      [...new Set(postings.map((posting) => posting.account))]
        .filter((name) => ownerOf(name) !== null)
        .map((name) => ({ account: name, currency, day: at.slice(0, 10) })),
    fold: (row: Row | undefined, { data: { postings } }, key): Row => ({
      ...key,
      change_minor: exactSum([row?.change_minor ?? 0, ...changesOn(key.account, postings)]),
    }),
  }),
});
