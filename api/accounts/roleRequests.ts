/** Role requests: users ask for a selling role, admins approve or reject. */
import { type Static, Type } from '@sinclair/typebox';
import {
  approveRoleRequest,
  rejectRoleRequest,
  requestRole,
  withdrawRoleRequest,
} from '../../commands/accounts/roleRequests.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { roleNamed, SellerRoleName } from '../../domain/accounts/role.ts';
import { RoleRequestDetails, roleRequestStatuses } from '../../domain/accounts/roleRequest.ts';
import { notFound } from '../../domain/core/decider.ts';
import { OneOf, ReasonText } from '../../domain/core/schema.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import {
  listRoleRequests,
  type RoleRequestRow,
  roleRequestById,
  roleRequests,
} from '../../projections/accounts/roleRequests.ts';
import type { App } from '../http/app.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { callersChannel } from './channels.ts';

const { company_name, documents, comment } = snakeSchema(RoleRequestDetails).properties;
const RoleRequest = Type.Object(roleRequests.row.properties, { $id: 'RoleRequest' });
const filters = { ...pagingQuery, status: Type.Optional(OneOf(roleRequestStatuses)) };

const ask = route('POST /api/v1/role-requests', {
  id: 'createRoleRequest',
  access: 'user',
  summary: 'Request a selling role',
  description: 'A user can have one pending request. `documents` are URLs that admins can open.',
  body: Type.Object(
    {
      role: SellerRoleName,
      company_name,
      documents: Type.Optional(documents),
      comment: Type.Optional(comment),
    },
    { $id: 'NewRoleRequest' },
  ),
  reply: RoleRequest,
  status: 201,
  errors: ['conflict', 'not_found'],
  projections: [roleRequests],
  handle: async ({ body, caller, context }, app) => {
    const details = { documents: [], comment: null, ...toCamel(body), role: roleNamed(body.role) };
    const id = await requestRole(app, context, caller.id, details);
    return {
      id,
      account_id: caller.id,
      ...toSnake(details),
      status: 'pending' as const,
      reason: null,
      decided_by: null,
      decided_at: null,
      created_at: context.at,
    };
  },
});

const own = route('GET /api/v1/role-requests/me', {
  id: 'listOwnRoleRequests',
  access: 'user',
  summary: 'List own role requests',
  query: Type.Object(filters),
  reply: ListOf(RoleRequest),
  channel: callersChannel,
  handle: ({ query, caller }, app) =>
    paged(query, (paging) => listRoleRequests(app.db, { accountId: caller.id, status: query.status, ...paging })),
});

const withdraw = route('DELETE /api/v1/role-requests/me', {
  id: 'withdrawRoleRequest',
  access: 'user',
  summary: 'Withdraw your pending role request',
  ...NO_CONTENT,
  errors: ['not_found', 'invalid_transition'],
  projections: [roleRequests],
  handle: async ({ caller, context }, app) => {
    await withdrawRoleRequest(app, context, caller.id);
    return null;
  },
});

const all = route('GET /api/v1/admin/role-requests', {
  id: 'listRoleRequests',
  access: 'admin',
  harm: 'content',
  summary: 'List role requests',
  query: Type.Object(filters),
  reply: ListOf(RoleRequest),
  handle: ({ query }, app) => paged(query, (paging) => listRoleRequests(app.db, { status: query.status, ...paging })),
});

/** The row of a request. It only shows whose request it is. The stream of the account decides. */
const asked = async (app: App, id: string): Promise<RoleRequestRow> => {
  const found = await roleRequestById(app.db, id);
  if (!found) throw notFound('role request');
  return found;
};

/** The row after an answer. A repeated answer keeps who decided first. */
const answered = (
  row: RoleRequestRow,
  { actor, at }: CommandContext,
  answer: Pick<RoleRequestRow, 'status'> & Partial<RoleRequestRow>,
): Static<typeof roleRequests.row> =>
  row.status === answer.status ? row : { ...row, decided_by: actor.id, decided_at: at, ...answer };

const approve = route('POST /api/v1/admin/role-requests/:id/approve', {
  id: 'approveRoleRequest',
  access: 'admin',
  harm: 'rights',
  summary: 'Approve a role request',
  description: 'The new role takes effect with the next access token of the user, within an hour.',
  params: ById,
  reply: RoleRequest,
  errors: ['not_found', 'invalid_transition'],
  projections: [roleRequests, accounts],
  handle: async ({ params, context }, app) => {
    const row = await asked(app, params.id);
    await approveRoleRequest(app, context, { accountId: row.account_id, requestId: row.id });
    return answered(row, context, { status: 'approved' });
  },
});

const reject = route('POST /api/v1/admin/role-requests/:id/reject', {
  id: 'rejectRoleRequest',
  access: 'admin',
  harm: { none: 'changes no right: the person can ask again' },
  summary: 'Reject a role request',
  description: 'The user sees the reason.',
  params: ById,
  body: Type.Object({ reason: ReasonText }),
  reply: RoleRequest,
  errors: ['not_found', 'invalid_transition', 'conflict'],
  projections: [roleRequests],
  handle: async ({ params, body: { reason }, context }, app) => {
    const row = await asked(app, params.id);
    await rejectRoleRequest(app, context, { accountId: row.account_id, requestId: row.id }, reason);
    return answered(row, context, { status: 'rejected', reason });
  },
});

export const roleRequestRoutes = [ask, own, withdraw, all, approve, reject];
