/** Signs people in, with a password or a code, and opens their sessions. */
import { asCompared, kindOf } from '../../domain/accounts/identity.ts';
import { Rejected } from '../../domain/core/decider.ts';
import type { CommandContext } from '../core/handle.ts';
import { openAccount } from './accounts.ts';
import { limited } from './attempts.ts';
import { consumeCode } from './codes.ts';
import type { AccountDeps } from './deps.ts';
import { deviceOf, deviceToken } from './devices.ts';
import { findHolder, type Holder } from './identities.ts';
import { identifier } from './identityIds.ts';
import { cueSignIn } from './notifications.ts';
import { passwordFits } from './passwords.ts';
import { keepAfterSignIn } from './pendingErasure.ts';
import { openSession, type SessionTokens } from './tokens.ts';
import { afterUse, NEW_CODE } from './usedUp.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool' | 'settings' | 'log'>;

/** The holder of an account after sign-in, with the tokens of the new session. */
export interface SignedIn extends Holder {
  readonly tokens: SessionTokens;
  /** Recognises this device at later sign-ins. */
  readonly deviceToken: string;
}

/** Starts a session for a person whose credentials were verified, and keeps an account that was to be erased. @param device the device's token from before */
export const signedIn = async (
  deps: Deps,
  context: CommandContext,
  verified: Holder,
  device?: string,
): Promise<SignedIn> => {
  const holder = await keepAfterSignIn(deps, context, verified);
  return {
    ...holder,
    tokens: await openSession(deps, holder.accountId, holder.account, context.at),
    deviceToken: await deviceToken(deps, holder.accountId, device),
  };
};

/** The same after a sign-in, which the person is told of unless this device has signed in before. */
export const signedInAnew = async (
  deps: Deps,
  context: CommandContext,
  holder: Holder,
  device?: string,
): Promise<SignedIn> => {
  const isKnown = (await deviceOf(deps, device, holder.accountId)) !== undefined;
  if (!isKnown) await cueSignIn(deps, context, holder.accountId);
  return signedIn(deps, context, holder, device);
};

/**
 * @param credentials.identifier e-mail or phone, as typed
 * @param credentials.deviceToken of an earlier sign-in on this device
 * @throws Rejected `wrong_credentials`, the same and as late for an unknown identifier; `too_many_attempts`
 */
export const signIn = async (
  deps: Deps,
  context: CommandContext,
  credentials: { identifier: string; password: string; deviceToken?: string },
): Promise<SignedIn> => {
  const kind = kindOf(credentials.identifier);
  const find = () => findHolder(deps, kind, credentials.identifier);
  const known = credentials.deviceToken === undefined ? null : await find();
  const device = await deviceOf(deps, credentials.deviceToken, known?.accountId);
  let holder = known;
  const account = () => holder?.accountId;
  const guesser = { subject: asCompared(kind, credentials.identifier), device, account };
  const found = await limited(deps, context, 'password', guesser, async () => {
    holder ??= await find();
    return (await passwordFits(holder?.account.passwordHash ?? null, credentials.password)) ? holder : null;
  });
  if (!found)
    throw new Rejected('wrong_credentials', 'The e-mail, phone or password is wrong.', {
      fields: ['identifier', 'password'],
    });
  return signedInAnew(deps, context, found, credentials.deviceToken);
};

/**
 * Signs in with a code that was sent to a phone, and opens a tourist account if the number is new.
 * @throws Rejected `wrong_credentials`, `too_many_attempts`, `invalid`, `start_again`
 */
export const verifyCode = async (
  deps: Deps,
  context: CommandContext,
  input: { phone: string; code: string; deviceToken?: string },
): Promise<SignedIn & { created: boolean }> => {
  const phone = identifier('phone', input.phone);
  const before = input.deviceToken === undefined ? null : await findHolder(deps, 'phone', phone);
  const device = await deviceOf(deps, input.deviceToken, before?.accountId);
  await consumeCode(deps, context, { to: phone, device }, input.code);
  return afterUse(deps, NEW_CODE, async () => {
    const known = await findHolder(deps, 'phone', phone);
    const holder = known ?? (await openAccount(deps, context, { role: 'tourist', phone }));
    return { ...(await signedInAnew(deps, context, holder, input.deviceToken)), created: known === null };
  });
};
