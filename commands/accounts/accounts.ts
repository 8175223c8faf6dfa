/** Opens, finds and changes accounts. Everything is decided on the log, never on a read model. */
import { type Account, account, isErased, type OpenAccount } from '../../domain/accounts/account.ts';
import type { ProviderLink } from '../../domain/accounts/accountEvents.ts';
import type { ProvedBy } from '../../domain/accounts/identifierChanges.ts';
import { type IdentifierKind, identity } from '../../domain/accounts/identity.ts';
import type { Role } from '../../domain/accounts/role.ts';
import { existing, Rejected } from '../../domain/core/decider.ts';
import { derivedId } from '../../infra/ids.ts';
import { raiseTokenVersion } from '../../infra/sessions.ts';
import { onFreshFacts } from '../core/freshFacts.ts';
import { type CommandContext, followUp, madeBefore } from '../core/handle.ts';
import { isAccepted } from '../core/refusals.ts';
import { limited } from './attempts.ts';
import { claimsOf, refuseTaken, release, take, type Wanted } from './claims.ts';
import { consumeCode } from './codes.ts';
import type { AccountDeps } from './deps.ts';
import type { Holder } from './identities.ts';
import { identifier, identityId, shows } from './identityIds.ts';
import { keepState } from './lastKnown.ts';
import { hashPassword } from './passwords.ts';
import { afterUse, NEW_CODE } from './usedUp.ts';
import { refuseWeak } from './weakPasswords.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool' | 'settings' | 'log'>;

const stateOf = async ({ aggregates }: Pick<Deps, 'aggregates'>, accountId: string): Promise<Account> =>
  (await aggregates.load(account, accountId)).state;

/** The account as the log has it now. @throws Rejected `not_found` */
export const loadAccount = async (deps: Pick<Deps, 'aggregates'>, accountId: string): Promise<OpenAccount> =>
  existing(await stateOf(deps, accountId), 'account');

/** Whether the person of an account was erased, as the log has it now. */
export const wasErased = async (deps: Pick<Deps, 'aggregates'>, accountId: string): Promise<boolean> =>
  isErased(await stateOf(deps, accountId));

export interface NewAccount {
  readonly role: Role;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly language?: string;
  /** null or absent: signs in by code or by `link` only. */
  readonly password?: string | null;
  readonly link?: ProviderLink;
  /** Who has proved the e-mail address, if it was proved: then it is taken from an account that has not proved it. */
  readonly emailProvedBy?: ProvedBy;
}

/**
 * Opens an account; repeated with the same `context.commandId` it is the same one. An anonymous caller opens their own.
 * @throws Rejected `identity_taken`, `invalid`
 */
export const openAccount = async (deps: Deps, context: CommandContext, request: NewAccount): Promise<Holder> => {
  const email = request.email ? identifier('email', request.email) : null;
  const phone = request.phone ? identifier('phone', request.phone) : null;
  const { link, emailProvedBy: by } = request;
  if (request.password) refuseWeak(request.password, { email, phone });
  const wanted: Wanted[] = [
    ...(email === null ? [] : [{ id: identityId(deps.vault, 'email', email), ...(by && { proved: { email, by } }) }]),
    ...[identityId(deps.vault, 'phone', phone), link?.identityId ?? null].flatMap((id) =>
      id === null ? [] : [{ id }],
    ),
  ];
  const command = {
    type: 'OpenAccount',
    role: request.role,
    email,
    phone,
    firstName: request.firstName ?? '',
    lastName: request.lastName ?? '',
    language: request.language ?? 'en',
    passwordHash: request.password ? await hashPassword(request.password) : null,
    ...(link && { link }),
  } as const;
  const accountId = derivedId(context.commandId, 'account');
  const own = { ...context, actor: { kind: 'user', id: accountId, role: request.role } } as const;
  const acting = context.actor.kind === 'anonymous' ? own : context;
  return onFreshFacts(async (attempt) => {
    const before = attempt === 0 ? await madeBefore(deps, account, accountId, context) : await stateOf(deps, accountId);
    const asOf = before.identifierRevision;
    account.decide({ ...command, asOf }, before); // refused before anything is claimed
    await refuseTaken(deps, accountId, wanted);
    await takeAll(deps, acting, accountId, before, wanted);
    const { state } = await deps.aggregates.handle(account, accountId, { ...command, asOf }, followUp(acting, 'open'));
    return { accountId, account: existing(state, 'account') };
  });
};

/** Claims what the account does not show yet. */
const takeAll = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  before: Account,
  wanted: readonly Wanted[],
): Promise<void> => {
  for (const each of wanted)
    if (before.status === 'none' || !shows(deps.vault, before, each.id)) await take(deps, context, accountId, each);
};

export interface ProfileChange {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly language?: string;
  /** null: removed. */
  readonly email?: string | null;
  readonly phone?: string | null;
  /** The code sent to the new address, which then counts as proved. Without it the address is not verified. */
  readonly emailCode?: string;
  /** The code sent to the new number. It proves the number, which is then enough to sign in. */
  readonly phoneCode?: string;
}

/**
 * A new e-mail or phone, with the identity stream that is claimed for it and the one that is released; null for neither.
 * undefined: it does not change.
 */
const move = async (deps: Deps, before: OpenAccount, kind: IdentifierKind, value: string | null | undefined) => {
  if (value === undefined || value === before[kind]) return undefined;
  const former = identityId(deps.vault, kind, before[kind]);
  const formerClaim = (await claimsOf(deps, former)) || undefined;
  const moved = { value, former, ...(formerClaim && { formerClaim }), asOf: before.identifierRevision };
  return { moved, next: identityId(deps.vault, kind, value) };
};

/**
 * Changes the given fields. A new e-mail or phone is claimed first, and the former one is released last.
 * @throws Rejected `identity_taken`, `invalid`, `wrong_credentials` (of a code), `too_many_attempts`, `start_again`
 */
export const changeProfile = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  { email: typedEmail, phone: typedPhone, phoneCode, emailCode, ...profile }: ProfileChange,
): Promise<OpenAccount> => {
  const email = typedEmail ? identifier('email', typedEmail) : typedEmail;
  const phone = typedPhone ? identifier('phone', typedPhone) : typedPhone;
  const proved = email && emailCode !== undefined ? ({ email, by: 'person' } as const) : undefined;
  const plan = () => planChange(deps, accountId, { ...profile, email, phone, isProved: proved !== undefined });
  const { byEmail, byPhone } = await plan();
  // Whether an address or a number has an account is told only to the person who has it, or a few times a day.
  if (byPhone && phone) await consumeCode(deps, context, { to: phone }, phoneCode ?? '');
  if (byEmail?.next && proved) await consumeCode(deps, context, { to: proved.email }, emailCode ?? '');
  const change = async (): Promise<OpenAccount> => {
    if (byEmail?.next) await refuseTakenEmail(deps, context, accountId, { id: byEmail.next, proved });
    return onFreshFacts(async () => carryOut(deps, context, accountId, await plan(), proved));
  };
  const isProved = (byPhone && phone) || (byEmail?.next && proved);
  return isProved ? afterUse(deps, NEW_CODE, change) : change();
};

/** What a change leads to as the account is now. @throws Rejected before anything is claimed */
const planChange = async (
  deps: Deps,
  accountId: string,
  { email, phone, isProved, ...profile }: ProfileChange & { readonly isProved: boolean },
) => {
  const loaded = await deps.aggregates.load(account, accountId);
  const before = existing(loaded.state, 'account');
  const byEmail = await move(deps, before, 'email', email);
  const byPhone = await move(deps, before, 'phone', phone);
  const command = {
    type: 'ChangeProfile',
    ...profile,
    ...(byEmail && { email: { ...byEmail.moved, isProved } }),
    ...(byPhone && { phone: byPhone.moved }),
  } as const;
  account.decide(command, before);
  return { loaded, before, byEmail, byPhone, command };
};

/** @throws Outdated when the account, or a claim, has changed since it was planned */
const carryOut = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  { loaded, before, byEmail, byPhone, command }: Awaited<ReturnType<typeof planChange>>,
  proved: Wanted['proved'],
): Promise<OpenAccount> => {
  const wanted: Wanted[] = [
    ...(byEmail?.next ? [{ id: byEmail.next, proved }] : []),
    ...(byPhone?.next ? [{ id: byPhone.next }] : []),
  ];
  const dropped = [byEmail, byPhone].flatMap((each) => each?.moved.former ?? []);
  await refuseTaken(deps, accountId, wanted);
  await takeAll(deps, context, accountId, before, wanted);
  if (dropped.length > 0) await keepState(deps, accountId, loaded, dropped);
  const outcome = await deps.aggregates.handle(account, accountId, command, followUp(context, 'change'));
  for (const { former: id, formerClaim } of [byEmail, byPhone].flatMap((each) => each?.moved ?? []))
    if (id && formerClaim) await release(deps, context, { id, accountId }, formerClaim);
  if (byEmail || byPhone) await keepState(deps, accountId, outcome);
  return existing(outcome.state, 'account');
};

/**
 * Whether an address has an account cannot be hidden here, so that it is told only a few times a day.
 * @throws Rejected `identity_taken`, `too_many_attempts`
 */
const refuseTakenEmail = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  wanted: Wanted,
): Promise<void> => {
  const isFree = async () => (await isAccepted(() => refuseTaken(deps, accountId, [wanted]), 'identity_taken')) || null;
  const guesser = { subject: accountId, account: () => accountId };
  if (await limited(deps, context, 'email', guesser, isFree)) return;
  const advice = wanted.proved
    ? ''
    : ' If it is yours, have a code sent to it with POST /auth/email/send-code, and give it as `email_code`.';
  throw new Rejected('identity_taken', `This e-mail address belongs to another account.${advice}`);
};

/**
 * Records that the person has proved the e-mail address, and takes it from an account that has not.
 * @throws Rejected `conflict` when the account has another address, `identity_taken`
 */
export const confirmEmail = (deps: Deps, context: CommandContext, accountId: string, email: string): Promise<void> =>
  onFreshFacts(async () => {
    const command = { type: 'VerifyEmail', email } as const;
    account.decide(command, await stateOf(deps, accountId));
    // The claim of an account of an earlier release can be lost.
    const wanted = { id: identityId(deps.vault, 'email', email), proved: { email, by: 'person' } } as const;
    const { state: claim } = await deps.aggregates.load(identity, wanted.id);
    if (claim.accountId !== accountId) await take(deps, context, accountId, wanted);
    await deps.aggregates.handle(account, accountId, command, context);
  });

/**
 * Gives an account another role, once for a request. Access tokens of the former role end at once on all nodes; the
 * sessions stay, and their next refresh gives tokens of the new role.
 */
export const changeRole = async (
  deps: Pick<Deps, 'aggregates' | 'pool'>,
  context: CommandContext,
  accountId: string,
  grant: { readonly role: Role; readonly requestId?: string },
): Promise<OpenAccount> => {
  const { state } = await deps.aggregates.handle(account, accountId, { type: 'GrantRole', ...grant }, context);
  const holder = existing(state, 'account');
  await raiseTokenVersion(deps.pool, accountId, holder.tokenVersion, 'stay');
  return holder;
};
