/** Role requests, as applicants and admins see them. */

import { type Static, Type } from '@sinclair/typebox';
import { accountsPurpose } from '../../domain/accounts/index.ts';
import { Role } from '../../domain/accounts/role.ts';
import { type RoleRequestStatus, roleRequestStatuses } from '../../domain/accounts/roleRequest.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { userChannel } from './channels.ts';

const Row = Type.Object({
  id: Uuid,
  account_id: Uuid,
  role: Role,
  company_name: Type.String(),
  documents: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
  comment: Nullable(Type.String()),
  status: OneOf(roleRequestStatuses),
  /** Why it was rejected. */
  reason: Nullable(Type.String()),
  /** Id of the account that approved, rejected or withdrew it. */
  decided_by: Nullable(Type.String()),
  decided_at: Nullable(Instant),
  created_at: Instant,
});
export type RoleRequestRow = Static<typeof Row>;

const keys = ({ data }: { readonly data: { readonly requestId: string } }) => [{ id: data.requestId }];

const ended =
  (status: RoleRequestStatus) =>
  (row: RoleRequestRow | undefined, { at, meta }: Pick<Recorded, 'at' | 'meta'>): RoleRequestRow => ({
    ...existing(row),
    status,
    decided_by: meta.actor.id,
    decided_at: at,
  });

export const roleRequests = readModel('role_requests', {
  version: 1,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'account_id',
    texts: ['company_name', 'documents.*.name', 'documents.*.url', 'comment', 'reason'],
    others: { decided_by: keptBecause.doneBy },
    why: accountsPurpose,
    retention: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    RoleRequested: {
      keys,
      fold: (_, { streamId: account_id, at, data: { requestId: id, companyName, ...details } }) => ({
        id,
        account_id,
        ...details,
        company_name: companyName,
        status: 'pending' as const,
        reason: null,
        decided_by: null,
        decided_at: null,
        created_at: at,
      }),
    },
    RoleRequestApproved: { keys, fold: ended('approved') },
    RoleRequestRejected: {
      keys,
      fold: (row, event) => ({ ...ended('rejected')(row, event), reason: event.data.reason }),
    },
    RoleRequestWithdrawn: { keys, fold: ended('withdrawn') },
  },
  indexes: ['created_at desc, id', 'account_id, created_at desc, id', 'status, created_at desc, id'],
  publishTo: [{ channel: userChannel, idsOf: ({ account_id }) => [account_id], audience: 'guest' }],
});

export const roleRequestById = (db: ReadDb, id: string): Promise<RoleRequestRow | undefined> =>
  tables(db, roleRequests).selectFrom('role_requests').selectAll().where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listRoleRequests = async (
  db: ReadDb,
  {
    accountId,
    status,
    ...paging
  }: Paging & { readonly accountId?: string; readonly status?: RoleRequestStatus | undefined },
): Promise<Page<RoleRequestRow>> => {
  const matching = tables(db, roleRequests)
    .selectFrom('role_requests')
    .$if(accountId !== undefined, (q) => q.where('account_id', '=', accountId as string))
    .$if(status !== undefined, (q) => q.where('status', '=', status as RoleRequestStatus));
  return pageOf(db, matching.selectAll().orderBy('created_at', 'desc').orderBy('id'), paging);
};
