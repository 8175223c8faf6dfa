/** Proving the e-mail address of an account. */
import { Type } from '@sinclair/typebox';
import { sendEmailCode, verifyEmail } from '../../commands/mail/verification.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import { Code, Email } from '../accounts/auth.ts';
import { route } from '../http/route.ts';

const Status = Type.Object(
  {
    email_verified: Type.Boolean({ description: 'true: there is nothing to prove, and no code was sent.' }),
    can_send_in_s: Type.Integer({ minimum: 0, description: 'Seconds until another code can be sent.' }),
    code_active: Type.Boolean({ description: 'Whether a code was sent that can still be used.' }),
    attempts_left: Type.Integer({ minimum: 0 }),
  },
  { $id: 'EmailCodeStatus' },
);

const send = route('POST /auth/email/send-code', {
  id: 'sendEmailCode',
  access: 'user',
  rate: 'login',
  summary: 'Send a code to your e-mail address',
  description:
    'Proves the address that was entered into the profile: only then e-mails are sent to it. With `email`, the code goes to another address, and is then given as `email_code` of `PUT /api/v1/users/me`: so you get an address that another account has entered and not proved. The code has six digits and is valid for 5 minutes and 5 attempts. Another one can be sent after 60 s, then after 120 s, at most 3 in 10 minutes and 10 a day.',
  body: Type.Object({ email: Type.Optional(Email) }),
  reply: Status,
  errors: ['invalid', 'too_many_attempts', 'mail_unavailable', 'not_found'],
  handle: async ({ body, caller, context }, app) => {
    const { isVerified, canSendInS, codeActive, attemptsLeft } = await sendEmailCode(
      app,
      context,
      caller.id,
      body.email,
    );
    return {
      email_verified: isVerified,
      can_send_in_s: canSendInS,
      code_active: codeActive,
      attempts_left: attemptsLeft,
    };
  },
});

const verify = route('POST /auth/email/verify-code', {
  id: 'verifyEmail',
  access: 'user',
  rate: 'login',
  summary: 'Verify your e-mail address',
  description: 'Needs the code that was sent to the current address. Changes nothing when it is verified already.',
  body: Type.Object({ code: Code }),
  reply: Type.Object({ email_verified: Type.Boolean() }, { $id: 'EmailVerification' }),
  errors: ['invalid', 'wrong_credentials', 'too_many_attempts', 'conflict', 'not_found', 'start_again'],
  projections: [accounts],
  handle: async ({ body, caller, context }, app) => {
    await verifyEmail(app, context, caller.id, body.code);
    return { email_verified: true };
  },
});

export const verificationRoutes = [send, verify];
