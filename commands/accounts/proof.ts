/**
 * Proofs of who somebody is, beside signing in: the password, or a code that was sent to the phone of the account. What
 * a stolen token must not change needs a fresh one.
 */
import { account, type OpenAccount } from '../../domain/accounts/account.ts';
import { existing, Rejected } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { raiseTokenVersion, recordProof } from '../../infra/sessions.ts';
import { PROOF_TTL } from '../../infra/tokens.ts';
import type { CommandContext } from '../core/handle.ts';
import { loadAccount } from './accounts.ts';
import { limited } from './attempts.ts';
import { consumeCode } from './codes.ts';
import type { AccountDeps } from './deps.ts';
import { keepState } from './lastKnown.ts';
import { hashPassword, passwordFits } from './passwords.ts';
import { type SignedIn, signedIn } from './signIn.ts';
import { afterUse, NEW_CODE } from './usedUp.ts';
import { refuseWeak } from './weakPasswords.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool' | 'settings' | 'log'>;

/** What proves who somebody is. The code counts if it is given, otherwise the password. */
export interface Proof {
  readonly password?: string;
  /** Sent to the phone of the account. */
  readonly code?: string;
}

/** What whoever gives nothing can give. */
const askedOf = ({ phone, passwordHash }: OpenAccount): string => {
  const ways = [
    ...(passwordHash === null ? [] : ['the password of the account']),
    ...(phone === null ? [] : ['a code that was sent to the phone of the account']),
  ];
  return ways.length === 0 ? 'Sign in again.' : `Give ${ways.join(', or ')}.`;
};

const prove = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  holder: OpenAccount,
  { password, code }: Proof,
): Promise<void> => {
  const { phone, passwordHash } = holder;
  if (code !== undefined && phone !== null) return consumeCode(deps, context, { to: phone }, code);
  if (password === undefined)
    throw new Rejected('wrong_credentials', askedOf(holder), {
      fields: ['password', 'current_password', 'phone_code'],
    });
  const right = await limited(deps, context, 'password', { subject: accountId, account: () => accountId }, async () =>
    (await passwordFits(passwordHash, password)) ? true : null,
  );
  if (!right)
    throw new Rejected('wrong_credentials', 'The password is wrong.', { fields: ['password', 'current_password'] });
};

/** Does what a proof is for. A code is used up by then. */
const afterProof = <T>(deps: Deps, { code }: Proof, work: () => Promise<T>): Promise<T> =>
  code === undefined ? work() : afterUse(deps, NEW_CODE, work);

/**
 * Records a fresh proof for this session.
 * @returns until when it is fresh, RFC 3339
 * @throws Rejected `wrong_credentials`, `too_many_attempts`, `start_again`
 */
export const confirm = async (
  deps: Deps,
  context: CommandContext,
  session: { readonly accountId: string; readonly sessionId: string },
  proof: Proof,
): Promise<string> => {
  await prove(deps, context, session.accountId, await loadAccount(deps, session.accountId), proof);
  await afterProof(deps, proof, () => recordProof(deps.pool, session, context.at));
  return addMs(context.at, PROOF_TTL * 1_000);
};

interface PasswordChange extends Proof {
  readonly newPassword: string;
  /** Whether the session has a fresh proof. */
  readonly isFresh: boolean;
  /** Identity providers that somebody else may have added sign in no more. */
  readonly unlinksProviders?: boolean;
}

/**
 * Sets a new password. Needs a proof of its own; an account with neither a password nor a phone, which signs in through
 * a provider only, needs a session with a fresh one. All tokens become invalid; the caller gets those of a new session.
 * @throws Rejected `wrong_credentials`, `too_many_attempts`, `fresh_proof_required`, `start_again`
 */
export const changePassword = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  { newPassword, isFresh, unlinksProviders = false, ...proof }: PasswordChange,
): Promise<SignedIn> => {
  const loaded = await deps.aggregates.load(account, accountId);
  const before = existing(loaded.state, 'account');
  if (before.passwordHash !== null || before.phone !== null) await prove(deps, context, accountId, before, proof);
  else if (!isFresh) throw new Rejected('fresh_proof_required', 'Sign in again before you set the first password.');
  refuseWeak(newPassword, before);
  const command = { type: 'ChangePassword', passwordHash: await hashPassword(newPassword), unlinksProviders } as const;
  const withheld = unlinksProviders ? before.links.map(({ identityId }) => identityId) : [];
  const carryOut = async (): Promise<SignedIn> => {
    if (withheld.length > 0) await keepState(deps, accountId, loaded, withheld);
    const { state } = await deps.aggregates.handle(account, accountId, command, context);
    const holder = { accountId, account: existing(state, 'account') };
    await raiseTokenVersion(deps.pool, accountId, holder.account.tokenVersion, 'end');
    return signedIn(deps, context, holder);
  };
  return afterProof(deps, proof, carryOut);
};
