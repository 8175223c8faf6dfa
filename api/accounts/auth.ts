/** Sign-in with a password or an SMS code, tokens and sign-out. */
import { Type } from '@sinclair/typebox';
import { type CodeStatus, codeStatus } from '../../commands/accounts/codes.ts';
import type { Holder } from '../../commands/accounts/identities.ts';
import { confirm } from '../../commands/accounts/proof.ts';
import { type SignedIn, signIn, verifyCode } from '../../commands/accounts/signIn.ts';
import { sendCode } from '../../commands/accounts/sms.ts';
import { logout, refresh, type SessionTokens } from '../../commands/accounts/tokens.ts';
import { Language } from '../../domain/accounts/accountEvents.ts';
import { Role } from '../../domain/accounts/role.ts';
import { Exact, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import { NO_CONTENT, route } from '../http/route.ts';

export const Email = Exact(Type.String({ minLength: 3, maxLength: 254, examples: ['anna@example.test'] }));
export const Password = Exact(Type.String({ minLength: 1, maxLength: 256 }));
export const Phone = Type.String({
  minLength: 5,
  maxLength: 32,
  description:
    'With the country code, as it is written or copied anywhere: it is stored in E.164. A number that no country has is 422.',
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
  expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.' }),
};
export const NewTokens = { ...AccessToken, refresh_token: Type.String() };
const DEVICE =
  'Send it with later sign-ins from this device: failed attempts of others then never delay or refuse them.';
export const SignedInReply = Type.Object(
  { ...NewTokens, device_token: Type.String({ description: DEVICE }), user: User },
  { $id: 'SignedIn' },
);
const DeviceToken = Type.Optional(
  Type.String({ maxLength: 600, description: '`device_token` of an earlier sign-in. An invalid one is ignored.' }),
);
const device = (token: string | undefined) => (token === undefined ? {} : { deviceToken: token });

const accessOf = ({ accessToken, expiresIn }: { accessToken: string; expiresIn: number }) => ({
  access_token: accessToken,
  token_type: 'bearer' as const,
  expires_in: expiresIn,
});
export const signedInOf = ({ tokens, deviceToken, ...holder }: SignedIn) => ({
  ...tokensOf(tokens),
  device_token: deviceToken,
  user: userOf(holder),
});
export const tokensOf = (tokens: SessionTokens) => ({ ...accessOf(tokens), refresh_token: tokens.refreshToken });

const login = route('POST /auth/login', {
  id: 'signIn',
  ignoresKey: 'it begins a session, and a repeat begins another',
  access: 'public',
  rate: 'login',
  rateBy: ['identifier', 'device_token'],
  summary: 'Sign in with a password',
  description:
    'The answer to wrong data does not reveal whether the account exists. After 5 failures in 15 minutes for one identifier from one address, further attempts from there are refused and `Retry-After` says when to try again. After 20 failures in an hour for one identifier from all addresses, the answer is delayed by up to 30 s. A request with the `device_token` of an earlier sign-in to the account has only limits of its own.',
  body: Type.Object({
    identifier: Exact(Type.String({ minLength: 1, maxLength: 320, description: 'E-mail address or phone number.' })),
    password: Password,
    device_token: DeviceToken,
  }),
  reply: SignedInReply,
  errors: ['wrong_credentials', 'too_many_attempts', 'overloaded'],
  handle: async ({ body: { device_token, ...credentials }, context }, app) =>
    signedInOf(await signIn(app, context, { ...credentials, ...device(device_token) })),
});

const refreshTokens = route('POST /auth/refresh', {
  id: 'refreshTokens',
  ignoresKey: 'a refresh token tells a repeat from a theft by itself',
  access: 'public',
  rate: 'refresh',
  rateBy: ['refresh_token'],
  summary: 'Refresh an access token',
  description:
    'With `rotate`, the reply also has a new refresh token and the old one becomes invalid. If the old one is used again, the session ends.',
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
  ignoresKey: 'it ends the session that it is sent with, so that a repeat gets 401',
  access: 'user',
  summary: 'Sign out',
  description:
    'Ends all sessions of the caller, or only this one with `scope=session`. Access and refresh tokens become invalid at once, and open WebSocket connections are closed.',
  query: Type.Object({ scope: Type.Optional(OneOf(['all', 'session'] as const, { default: 'all' })) }),
  ...NO_CONTENT,
  handle: async ({ query, caller, context }, app) => {
    const { id: accountId, sessionId } = caller;
    await logout(app, context, { accountId, sessionId, scope: query.scope ?? 'all' });
    return null;
  },
});

const confirmMe = route('POST /auth/confirm', {
  id: 'confirmIdentity',
  ignoresKey: 'a repeat confirms once more',
  access: 'user',
  rate: 'login',
  summary: 'Confirm your identity',
  description:
    'Needs the `password`, or the `code` that `POST /auth/sms/send-code` sent to the phone of the account. Operations that require a fresh proof accept this session for the next 5 minutes. Without a password and a phone, sign in again instead.',
  body: Type.Object({ password: Type.Optional(Password), code: Type.Optional(Code) }, { minProperties: 1 }),
  reply: Type.Object({ fresh_until: Instant }, { $id: 'IdentityConfirmed' }),
  errors: ['wrong_credentials', 'too_many_attempts', 'not_found', 'start_again'],
  handle: async ({ body, caller: { id: accountId, sessionId }, context }, app) => ({
    fresh_until: await confirm(app, context, { accountId, sessionId }, body),
  }),
});

/** An account with all its fields, for its owner and for admins. */
export const Account = Type.Object(accounts.row.properties, { $id: 'Account' });

const Status = Type.Object(
  {
    request_id: Type.String({
      format: 'uuid',
      description: 'Identifies the phone number in `GET /auth/sms/status`, so that numbers do not appear in URLs.',
    }),
    can_send_in_s: Type.Integer({ minimum: 0, description: 'Seconds until another code can be sent.' }),
    code_active: Type.Boolean({ description: 'Whether a code was sent that can still be used.' }),
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
  ignoresKey: 'a repeat sends another code, within the limits',
  access: 'public',
  rate: 'login',
  rateBy: ['phone', 'device_token'],
  summary: 'Send a one-time code by SMS',
  description:
    'The code has six digits and is valid for 5 minutes and 5 attempts. Another code can be sent after 60 s, then after 120 s, at most 3 in 10 minutes and 10 a day; there are also limits for each address and in all. The reply does not reveal whether the account exists.',
  body: Type.Object({ phone: Phone, device_token: DeviceToken }),
  reply: Status,
  errors: ['invalid', 'too_many_attempts', 'sms_unavailable'],
  handle: async ({ body, context }, app) => statusReply(await sendCode(app, context, body.phone, body.device_token)),
});

const smsStatus = route('GET /auth/sms/status', {
  id: 'getSmsCodeStatus',
  access: 'public',
  summary: 'Get the status of an SMS code',
  query: Type.Object({ request_id: Uuid }),
  reply: Status,
  handle: async ({ query, context }, app) => statusReply(await codeStatus(app, query.request_id, context.at)),
});

const verifySmsCode = route('POST /auth/sms/verify-code', {
  id: 'verifySmsCode',
  ignoresKey: 'a code works once; ask for another after a lost reply',
  access: 'public',
  rate: 'login',
  rateBy: ['phone', 'device_token'],
  summary: 'Sign in with an SMS code',
  description: 'Creates a tourist account if the number has none; `created` is then true.',
  body: Type.Object({ phone: Phone, code: Code, device_token: DeviceToken }),
  reply: Type.Object({ ...SignedInReply.properties, created: Type.Boolean() }),
  errors: ['wrong_credentials', 'too_many_attempts', 'invalid', 'start_again'],
  projections: [accounts],
  handle: async ({ body: { device_token, ...input }, context }, app) => {
    const { created, ...signedIn } = await verifyCode(app, context, { ...input, ...device(device_token) });
    return { ...signedInOf(signedIn), created };
  },
});

export const authRoutes = [login, refreshTokens, confirmMe, signOut, sendSmsCode, smsStatus, verifySmsCode];
