/**
 * Appeals against decisions of moderators: for people who have appealed, and for admins. The table is called after the
 * forums, which had appeals first.
 */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable, OneOf, textOrNull, Uuid } from '../../domain/core/schema.ts';
import { type AppealKind, appealKinds } from '../../domain/reports/appeal.ts';
import { reportsPurpose } from '../../domain/reports/index.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { listOldestFirst, oldestFirstIndex } from './oldestFirst.ts';

export const appealStatuses = ['open', 'accepted', 'refused'] as const;
type AppealStatus = (typeof appealStatuses)[number];

const Fields = {
  id: Uuid,
  account_id: Uuid,
  kind: OneOf(appealKinds, { description: 'What was removed, or `sanction` for a mute or a ban.' }),
  subject_id: { ...Uuid, description: 'Of what was removed, or of the sanction.' },
  status: OneOf(appealStatuses),
  created_at: Instant,
  answered_at: Nullable(Instant),
  is_undone: Nullable(
    Type.Boolean({
      description:
        'Whether the answer undoes the decision. false: it was refused, or what was removed is gone for good. null: it is not answered.',
    }),
  ),
};
const Row = Type.Object({ ...Fields, text: Type.String(), answer: Nullable(Type.String()) });
type Row = Static<typeof Row>;

export const Appeal = Type.Object(
  {
    ...Fields,
    text: Nullable(Type.String({ description: 'null: the account was erased.' })),
    answer: Nullable(Type.String()),
  },
  { $id: 'Appeal' },
);
export type Appeal = Static<typeof Appeal>;

const shown = ({ text, answer, ...row }: Row): Appeal => ({
  ...row,
  text: textOrNull(text),
  answer: textOrNull(answer),
});

export const appeals = readModel('forum_appeals', {
  version: 2,
  row: Row,
  key: 'id',
  wire: wireForm(Appeal, shown),
  personalData: {
    whose: 'account_id',
    texts: ['text', 'answer'],
    why: reportsPurpose,
    retention: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    ForumAppealFiled: (_, { streamId: id, at, data: { accountId, decision, text } }) => ({
      ...{ id, account_id: accountId, kind: decision.kind, subject_id: decision.id, text },
      ...{ status: 'open' as const, created_at: at, answer: null, answered_at: null, is_undone: null },
    }),
    ForumAppealAnswered: (row, { at, data: { accepted, answer, isFinal } }) => ({
      ...existing(row),
      status: accepted ? ('accepted' as const) : ('refused' as const),
      answer,
      answered_at: at,
      is_undone: accepted && isFinal !== true,
    }),
  },
  indexes: [oldestFirstIndex('kind'), 'subject_id', 'account_id, created_at desc, id'],
  publishTo: [{ channel: userChannel, idsOf: ({ account_id }) => [account_id], audience: 'guest' }],
});

/** Whether somebody has appealed against a decision about this. */
export const isAppealed = async (db: ReadDb, kind: AppealKind, id: string): Promise<boolean> => {
  const about = tables(db, appeals).selectFrom('forum_appeals').select('id').where('subject_id', '=', id);
  return (await about.where('kind', '=', kind).limit(1).executeTakeFirst()) !== undefined;
};

type OfKinds = Paging & { readonly kinds: readonly AppealKind[] };

const shownPage = ({ rows, total }: Page<Row>): Page<Appeal> => ({ rows: rows.map(shown), total });

/** The oldest first. */
export const listAppeals = async (
  db: ReadDb,
  { kinds, status, ...paging }: OfKinds & { readonly status?: AppealStatus | undefined },
): Promise<Page<Appeal>> => {
  const statuses = status ? [status] : appealStatuses;
  return shownPage(await listOldestFirst(db, appeals, { kind: 'kind', kinds, statuses }, paging));
};

/** Those of one person, the newest first. */
export const listOwnAppeals = async (
  db: ReadDb,
  { accountId, kinds, ...paging }: OfKinds & { readonly accountId: string },
): Promise<Page<Appeal>> => {
  const own = tables(db, appeals)
    .selectFrom('forum_appeals')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', 'in', kinds);
  return shownPage(await pageOf(db, own.orderBy('created_at', 'desc').orderBy('id'), paging));
};
