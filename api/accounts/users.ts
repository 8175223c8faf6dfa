/** Accounts: people edit their own, admins manage all. */
import { Type } from '@sinclair/typebox';
import { changeProfile, changeRole, openAccount } from '../../commands/accounts/accounts.ts';
import { changePassword } from '../../commands/accounts/proof.ts';
import { Language } from '../../domain/accounts/accountEvents.ts';
import { RoleName, roleNamed } from '../../domain/accounts/role.ts';
import { Exact, Nullable } from '../../domain/core/schema.ts';
import { toCamel } from '../../infra/naming.ts';
import { accounts, listAccounts } from '../../projections/accounts/accounts.ts';
import { isFresh } from '../http/harm.ts';
import { ListOf, pagedText, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';
import { Account, Code, Email, NewTokens, Password, Phone, tokensOf, User, userOf } from './auth.ts';
import { SignInMethods, signInMethodsOf } from './signInMethods.ts';

const Name = Type.String({ maxLength: 100 });
const NewPassword = Exact(Type.String({ minLength: 8, maxLength: 256, writeOnly: true }));

const changeMe = route('PUT /api/v1/users/me', {
  id: 'updateCurrentUser',
  access: 'user',
  summary: 'Update the current user',
  description:
    'Fields that are left out keep their values. null removes a value. A new phone number needs `phone_code`, the code that `POST /auth/sms/send-code` sent to it, because the number can be used to sign in. A new e-mail address with `email_code`, the code that `POST /auth/email/send-code` sent to it, is verified at once, and is taken from an account that has entered the address and not proved it: that one is told, and its sessions stay.',
  body: Type.Object(
    {
      first_name: Type.Optional(Name),
      last_name: Type.Optional(Name),
      language: Type.Optional(Language),
      email: Type.Optional(Nullable(Email)),
      email_code: Type.Optional(Code),
      phone: Type.Optional(Nullable(Phone)),
      phone_code: Type.Optional(Code),
    },
    { minProperties: 1 },
  ),
  reply: User,
  harm: { of: 'account', fields: ['email', 'phone'] },
  errors: ['identity_taken', 'invalid', 'wrong_credentials', 'too_many_attempts', 'not_found', 'start_again'],
  projections: [accounts],
  handle: async ({ body, caller, context }, app) =>
    userOf({ accountId: caller.id, account: await changeProfile(app, context, caller.id, toCamel(body)) }),
});

const setPassword = route('POST /api/v1/users/password', {
  id: 'changePassword',
  ignoresKey: 'it ends the session that it is sent with; sign in with the new password after a lost reply',
  access: 'user',
  rate: 'login',
  summary: 'Change the password',
  description:
    'Needs `current_password`, or a `phone_code` sent to the phone of the account; without a password and a phone, a sign-in within the last 5 minutes. All earlier tokens become invalid; the reply has the tokens of a new session. After somebody else was in the account, `unlink_providers` also ends every identity provider that they may have added. `sign_in_methods` of the reply are the ways to sign in that are left, each of which `DELETE /api/v1/me/sign-in-methods/{id}` removes.',
  body: Type.Object({
    current_password: Type.Optional(Password),
    phone_code: Type.Optional(Code),
    new_password: NewPassword,
    unlink_providers: Type.Optional(
      Type.Boolean({ default: false, description: 'Identity providers no longer sign in to this account.' }),
    ),
  }),
  reply: Type.Object({ ...NewTokens, sign_in_methods: SignInMethods }, { $id: 'Tokens' }),
  errors: ['wrong_credentials', 'too_many_attempts', 'not_found', 'fresh_proof_required', 'start_again'],
  projections: [accounts],
  handle: async ({ body, caller, context }, app) => {
    const { newPassword, currentPassword: password, phoneCode: code, unlinkProviders } = toCamel(body);
    const proof = { ...(password !== undefined && { password }), ...(code !== undefined && { code }) };
    const { tokens } = await changePassword(app, context, caller.id, {
      newPassword,
      isFresh: isFresh(caller),
      unlinksProviders: unlinkProviders ?? false,
      ...proof,
    });
    return { ...tokensOf(tokens), sign_in_methods: await signInMethodsOf(app, caller.id) };
  },
});

const createAccount = route('POST /api/v1/admin/accounts', {
  id: 'createAccount',
  access: 'seed',
  summary: 'Create an account',
  description:
    'Any role is possible. The account needs a phone number, or an e-mail address and a password. The phone number counts as verified.',
  body: Type.Object(
    {
      role: RoleName,
      email: Type.Optional(Email),
      phone: Type.Optional(Phone),
      first_name: Type.Optional(Name),
      last_name: Type.Optional(Name),
      language: Type.Optional(Language),
      password: Type.Optional(NewPassword),
    },
    { $id: 'NewAccount' },
  ),
  reply: User,
  status: 201,
  harm: 'rights',
  errors: ['identity_taken', 'invalid'],
  projections: [accounts],
  handle: async ({ body, context }, app) =>
    userOf(await openAccount(app, context, { ...toCamel(body), role: roleNamed(body.role) })),
});

const getAccounts = route('GET /api/v1/admin/accounts', {
  id: 'listAccounts',
  access: 'admin',
  harm: 'content',
  summary: 'List accounts',
  query: Type.Object({ ...pagingQuery, role: Type.Optional(RoleName) }),
  reply: ListOf(Account),
  handle: ({ query }, app) =>
    pagedText(query, (paging) => listAccounts(app.db, { role: query.role && roleNamed(query.role), ...paging })),
});

const setRole = route('PUT /api/v1/admin/accounts/:id/role', {
  id: 'setAccountRole',
  access: 'admin',
  summary: 'Change the role of an account',
  description:
    'Takes effect at once: access tokens of the former role are refused, and the next refresh gives one of the new role.',
  params: ById,
  body: Type.Object({ role: RoleName }),
  reply: User,
  harm: 'rights',
  errors: ['not_found'],
  projections: [accounts],
  handle: async ({ params, body, context }, app) =>
    userOf({
      accountId: params.id,
      account: await changeRole(app, context, params.id, { role: roleNamed(body.role) }),
    }),
});

export const userRoutes = [changeMe, setPassword, createAccount, getAccounts, setRole];
