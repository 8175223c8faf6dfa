/** Signing in and staying signed in. */
import { Type } from '@sinclair/typebox';
import { signIn, verifyCode } from '../../commands/accounts/accounts.ts';
import type { Holder } from '../../commands/accounts/identities.ts';
import { type CodeStatus, codeStatus, sendCode } from '../../commands/accounts/sms.ts';
import { logout, refresh, type SessionTokens } from '../../commands/accounts/tokens.ts';
import { Language, Role } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { accountById, accounts } from '../../projections/accounts/accounts.ts';
import { route } from '../http/route.ts';

export const Phone = Type.String({
  minLength: 5,
  maxLength: 32,
  description: 'With the country code; spaces, dashes and brackets do not matter.',
  examples: ['+79990000000'],
});
export const Code = Type.String({ pattern: '^[0-9]{6}$', examples: ['042137'] });

export const User = Type.Object(
  {
    id: Uuid,
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    role: Role,
    first_name: Type.String(),
    last_name: Type.String(),
    language: Language,
  },
  { $id: 'User' },
);

export const userOf = ({ accountId, account }: Holder) => ({
  id: accountId,
  email: account.email,
  phone: account.phone,
  role: account.role,
  first_name: account.firstName,
  last_name: account.lastName,
  language: account.language,
});

const AccessToken = {
  access_token: Type.String(),
  token_type: OneOf(['bearer'] as const),
  expires_in: Type.Integer({ description: 'Seconds.' }),
};
export const NewTokens = { ...AccessToken, refresh_token: Type.String() };
export const SignedInReply = Type.Object({ ...NewTokens, user: User }, { $id: 'SignedIn' });

const accessOf = ({ accessToken, expiresIn }: { accessToken: string; expiresIn: number }) => ({
  access_token: accessToken,
  token_type: 'bearer' as const,
  expires_in: expiresIn,
});
export const tokensOf = (tokens: SessionTokens) => ({ ...accessOf(tokens), refresh_token: tokens.refreshToken });

const login = route('POST /auth/login', {
  id: 'signIn',
  access: 'public',
  rate: 'login',
  summary: 'Sign in with e-mail or phone and password',
  description:
    'Wrong data is answered alike, and as late, whether or not there is such an account. After 5 failures in 15 minutes for an identifier from one address (20 an hour in all), `Retry-After` says when to try again.',
  body: Type.Object({
    identifier: Type.String({ minLength: 1, maxLength: 320, description: 'E-mail address or phone number.' }),
    password: Type.String({ minLength: 1, maxLength: 256 }),
  }),
  reply: SignedInReply,
  errors: ['wrong_credentials', 'too_many_attempts'],
  handle: async ({ body, context }, app) => {
    const { tokens, ...holder } = await signIn(app, context, body);
    return { ...tokensOf(tokens), user: userOf(holder) };
  },
});

const refreshTokens = route('POST /auth/refresh', {
  id: 'refreshTokens',
  access: 'public',
  rate: 'refresh',
  summary: 'Get a new access token',
  description:
    'With `rotate` also a new refresh token; the old one is void then, and if it comes back all of its session ends.',
  body: Type.Object({
    refresh_token: Type.String({ minLength: 1, maxLength: 200 }),
    rotate: Type.Optional(Type.Boolean({ default: false })),
  }),
  reply: Type.Object({ ...AccessToken, refresh_token: Type.Optional(Type.String()) }),
  errors: ['token_refused'],
  handle: async ({ body, context }, app) => {
    const tokens = await refresh(app, context, { refreshToken: body.refresh_token, rotate: body.rotate ?? false });
    return { ...accessOf(tokens), ...(tokens.refreshToken && { refresh_token: tokens.refreshToken }) };
  },
});

const signOut = route('POST /auth/logout', {
  id: 'signOut',
  access: 'user',
  summary: 'End all sessions of the caller, or this one',
  description: 'Access and refresh tokens are dead at once, on every node; open sockets are closed.',
  query: Type.Object({ scope: Type.Optional(OneOf(['all', 'session'] as const, { default: 'all' })) }),
  reply: Type.Null(),
  status: 204,
  handle: async ({ query, caller, context }, app) => {
    const { id: accountId, sessionId } = caller;
    await logout(app, context, { accountId, sessionId, scope: query.scope ?? 'all' });
    return null;
  },
});

/** An account with all that admins see of it; people see their own. */
export const Account = Type.Object(accounts.row.properties, { $id: 'Account' });

const me = route('GET /auth/me', {
  id: 'getCurrentUser',
  access: 'user',
  summary: 'The current user',
  reply: Account,
  errors: ['not_found'],
  handle: async ({ caller }, app) => {
    const found = await accountById(app.db, caller.id);
    if (!found) throw new Rejected('not_found', 'There is no such account.');
    return found;
  },
});

const Status = Type.Object(
  {
    request_id: Type.String({
      format: 'uuid',
      description: 'Stands for the phone number when its status is asked for: numbers do not belong in addresses.',
    }),
    can_send_in_s: Type.Integer({ minimum: 0, description: 'Seconds until another code can be sent.' }),
    code_active: Type.Boolean({ description: 'A code is out that can still be used.' }),
    attempts_left: Type.Integer({ minimum: 0 }),
  },
  { $id: 'SmsCodeStatus' },
);
const statusReply = (status: CodeStatus) => ({
  request_id: status.requestId,
  can_send_in_s: status.canSendInS,
  code_active: status.codeActive,
  attempts_left: status.attemptsLeft,
});

const sendSmsCode = route('POST /auth/sms/send-code', {
  id: 'sendSmsCode',
  access: 'public',
  rate: 'login',
  summary: 'Send a one-time code to a phone',
  description:
    'Six digits, valid 5 minutes and 5 attempts. A further one after 60 s, then 120 s, at most 3 in 10 minutes. The answer does not depend on whether there is such an account.',
  body: Type.Object({ phone: Phone }),
  reply: Status,
  errors: ['invalid', 'too_many_attempts', 'sms_unavailable'],
  handle: async ({ body, context }, app) => statusReply(await sendCode(app, context, body.phone)),
});

const smsStatus = route('GET /auth/sms/status', {
  id: 'getSmsCodeStatus',
  access: 'public',
  summary: 'Whether a code is out, and when the next can be sent',
  query: Type.Object({ request_id: Uuid }),
  reply: Status,
  handle: async ({ query, context }, app) => statusReply(await codeStatus(app, query.request_id, context.at)),
});

const verifySmsCode = route('POST /auth/sms/verify-code', {
  id: 'verifySmsCode',
  access: 'public',
  rate: 'login',
  summary: 'Sign in with a one-time code',
  description: 'Opens a tourist account where the number has none: `created` says so.',
  body: Type.Object({ phone: Phone, code: Code }),
  reply: Type.Object({ ...SignedInReply.properties, created: Type.Boolean() }),
  errors: ['wrong_credentials', 'too_many_attempts', 'invalid'],
  projections: [accounts],
  handle: async ({ body, context }, app) => {
    const { tokens, created, ...holder } = await verifyCode(app, context, body);
    return { ...tokensOf(tokens), user: userOf(holder), created };
  },
});

export const authRoutes = [login, refreshTokens, signOut, me, sendSmsCode, smsStatus, verifySmsCode];
