/** Opens, finds and changes accounts. Everything is decided on the log, never on a read model. */
import { type Account, account, isErased, type OpenAccount } from '../../domain/accounts/account.ts';
import type { ProviderLink } from '../../domain/accounts/accountEvents.ts';
import type { IdentifierKind } from '../../domain/accounts/identity.ts';
import type { Role } from '../../domain/accounts/role.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { derivedId } from '../../infra/ids.ts';
import { raiseTokenVersion } from '../../infra/sessions.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { isAccepted } from '../core/refusals.ts';
import { limited } from './attempts.ts';
import { consumeCode } from './codes.ts';
import type { AccountDeps } from './deps.ts';
import { claim, type Holder, identifier, identityId, releaseUnused, vacantId } from './identities.ts';
import { hashPassword } from './passwords.ts';
import { refuseWeak } from './weakPasswords.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool' | 'settings' | 'log'>;

export const opened = (accountId: string, state: Account): Holder => {
  if (state.status === 'none') throw notFound('account');
  return { accountId, account: state };
};

/** The account as the log has it now. @throws Rejected `not_found` */
export const loadAccount = async (deps: Pick<Deps, 'aggregates'>, accountId: string): Promise<OpenAccount> =>
  opened(accountId, (await deps.aggregates.load(account, accountId)).state).account;

/** Whether the person of an account was erased, as the log has it now. */
export const wasErased = async ({ aggregates }: Pick<Deps, 'aggregates'>, accountId: string): Promise<boolean> =>
  isErased((await aggregates.load(account, accountId)).state);

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
}

/**
 * Opens an account; repeated with the same `context.commandId` it is the same one. An anonymous caller opens their own.
 * @throws Rejected `identity_taken`, `invalid`
 */
export const openAccount = async (deps: Deps, context: CommandContext, request: NewAccount): Promise<Holder> => {
  const email = request.email ? identifier('email', request.email) : null;
  const phone = request.phone ? identifier('phone', request.phone) : null;
  const { link } = request;
  if (request.password) refuseWeak(request.password, { email, phone });
  const identities = [
    identityId(deps.vault, 'email', email),
    identityId(deps.vault, 'phone', phone),
    link?.identityId ?? null,
  ].filter((id) => id !== null);
  const fresh = derivedId(context.commandId, 'account');
  const accountId = await vacantId(deps, identities, fresh);
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
  account.decide(command, account.initial); // refused before anything is claimed

  const own = { ...context, actor: { kind: 'user', id: accountId, role: request.role } } as const;
  const by = context.actor.kind === 'anonymous' ? own : context;
  for (const id of identities) await claim(deps, by, id, accountId);
  const { state, events } = await deps.aggregates.handle(account, accountId, command, followUp(by, 'open'));
  if (events.length === 0 && accountId !== fresh)
    throw new Rejected('identity_taken', 'Another request has just opened this account.');
  return opened(accountId, state);
};

export interface ProfileChange {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly language?: string;
  /** null: removed. */
  readonly email?: string | null;
  readonly phone?: string | null;
  /** The code sent to the new number. It proves the number, which is then enough to sign in. */
  readonly phoneCode?: string;
}

/**
 * A new e-mail or phone, with the identity stream that is claimed for it and the one that is released; null for neither.
 * undefined: it does not change.
 */
const move = (
  { vault }: Pick<Deps, 'vault'>,
  before: OpenAccount,
  kind: IdentifierKind,
  text: string | null | undefined,
) => {
  const value = text ? identifier(kind, text) : text;
  if (value === undefined || value === before[kind]) return undefined;
  return { value, former: identityId(vault, kind, before[kind]), next: identityId(vault, kind, value) };
};

/**
 * Changes the given fields. A new e-mail or phone is claimed first, and the former one is released last.
 * @throws Rejected `identity_taken`, `invalid`, `wrong_credentials` (of the phone code), `too_many_attempts`
 */
export const changeProfile = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  { email, phone, phoneCode, ...profile }: ProfileChange,
): Promise<OpenAccount> => {
  const before = await loadAccount(deps, accountId);
  const moved = { email: move(deps, before, 'email', email), phone: move(deps, before, 'phone', phone) };
  const command = {
    type: 'ChangeProfile',
    ...profile,
    ...(moved.email && { email: moved.email }),
    ...(moved.phone && { phone: moved.phone }),
  } as const;
  account.decide(command, before); // refused before anything is claimed
  const next = [moved.email?.next, moved.phone?.next].filter((id) => typeof id === 'string');
  // Whether a number has an account is told only to the person who has the number.
  if (moved.phone?.value) await consumeCode(deps, context, { to: moved.phone.value }, phoneCode ?? '');
  if (moved.email?.next) await refuseTakenEmail(deps, context, accountId, moved.email.next);
  await vacantId(deps, next, accountId);

  for (const id of next) await claim(deps, context, id, accountId);
  const { state, events } = await deps.aggregates.handle(account, accountId, command, followUp(context, 'change'));
  for (const event of events) {
    const former = event.type === 'EmailChanged' || event.type === 'PhoneChanged' ? event.data.former : null;
    if (former) await releaseUnused(deps, context, former, accountId);
  }
  return opened(accountId, state).account;
};

/**
 * Whether an address has an account cannot be hidden here, so that it is told only a few times a day.
 * @throws Rejected `identity_taken`, `too_many_attempts`
 */
const refuseTakenEmail = async (deps: Deps, context: CommandContext, accountId: string, id: string): Promise<void> => {
  const isFree = async () => (await isAccepted(() => vacantId(deps, [id], accountId), 'identity_taken')) || null;
  const guesser = { subject: accountId, account: () => accountId };
  if (!(await limited(deps, context, 'email', guesser, isFree)))
    throw new Rejected('identity_taken', 'This e-mail address belongs to another account.');
};

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
  const holder = opened(accountId, state).account;
  await raiseTokenVersion(deps.pool, accountId, holder.tokenVersion, 'stay');
  return holder;
};
