/** Sessions and their refresh tokens: opened by a sign-in, renewed by rotation, ended by logout or by reuse. */
import { createHash, randomBytes } from 'node:crypto';
import { account, type OpenAccount } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { newId } from '../../infra/ids.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { logSecurity } from '../../infra/securityLog.ts';
import { endSession, raiseTokenVersion } from '../../infra/sessions.ts';
import { ACCESS_TOKEN_TTL, signAccessToken } from '../../infra/tokens.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { AccountDeps } from './deps.ts';
import { keepState, lastKnown } from './lastKnown.ts';

export interface Tokens {
  readonly accessToken: string;
  /** Seconds that the access token lasts. */
  readonly expiresIn: number;
}
export interface SessionTokens extends Tokens {
  readonly refreshToken: string;
}

const REFRESH_TTL_MS = 30 * DAY_MS;

const hashOf = (refreshToken: string): Buffer => createHash('sha256').update(refreshToken).digest();
const newRefreshToken = (): string => randomBytes(32).toString('base64url');
const refreshExpiry = (at: string): string => addMs(at, REFRESH_TTL_MS);

const accessOf = async (
  deps: Pick<AccountDeps, 'settings'>,
  accountId: string,
  { role, tokenVersion }: OpenAccount,
  sessionId: string,
): Promise<Tokens> => ({
  accessToken: await signAccessToken(deps.settings, { accountId, role, sessionId, tokenVersion }),
  expiresIn: ACCESS_TOKEN_TTL,
});

/** Starts a session for an account whose holder was just verified. */
export const openSession = async (
  deps: Pick<AccountDeps, 'pool' | 'settings'>,
  accountId: string,
  holder: OpenAccount,
  at: string,
): Promise<SessionTokens> => {
  const sessionId = newId();
  const refreshToken = newRefreshToken();
  await deps.pool.query(
    `with session as (
       insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
       values ($1, $2, $3, $4, $5) returning id, expires_at
     ) insert into ops.refresh_tokens (session_id, expires_at, hash) select id, expires_at, $6 from session`,
    [sessionId, accountId, holder.tokenVersion, at, refreshExpiry(at), hashOf(refreshToken)],
  );
  return { ...(await accessOf(deps, accountId, holder, sessionId)), refreshToken };
};

interface Found {
  readonly session_id: string;
  readonly account_id: string;
  readonly token_version: number;
  readonly alive: boolean;
  readonly replaced: boolean;
}

const refused = () => new Rejected('token_refused', 'The refresh token is not valid or has expired. Sign in again.');

/** The account of a session as the log has it; as last known while the log is unavailable. */
const accountOf = async (
  deps: Pick<AccountDeps, 'pool' | 'vault' | 'aggregates'>,
  accountId: string,
): Promise<OpenAccount | undefined> => {
  try {
    const loaded = await deps.aggregates.load(account, accountId);
    await keepState(deps, accountId, loaded);
    return loaded.state.status === 'open' ? loaded.state : undefined;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const known = await lastKnown(deps, accountId);
    if (known === null) throw error;
    return known.account;
  }
};

/**
 * Issues a new access token with the account's current role. `rotate` also replaces the refresh token. If a replaced
 * token is used again, it was stolen, and the session ends.
 * @throws Rejected `token_refused`
 */
export const refresh = async (
  deps: Pick<AccountDeps, 'pool' | 'settings' | 'aggregates' | 'vault' | 'log'>,
  context: CommandContext,
  { refreshToken, rotate }: { refreshToken: string; rotate: boolean },
): Promise<Tokens & { refreshToken?: string }> => {
  const { rows } = await deps.pool.query<Found>(
    `select s.id as session_id, s.account_id, s.token_version, t.replaced_at is not null as replaced,
            s.ended_at is null and t.expires_at > $2 as alive
     from ops.refresh_tokens t join ops.sessions s on s.id = t.session_id where t.hash = $1`,
    [hashOf(refreshToken), context.at],
  );
  const found = rows[0];
  if (!found?.alive) throw refused();
  if (found.replaced) return endReused(deps, context, found);
  const state = await accountOf(deps, found.account_id);
  if (!state || found.token_version < state.sessionsSince) throw refused();
  const tokens = await accessOf(deps, found.account_id, state, found.session_id);
  if (!rotate) return tokens;
  const next = await replace(deps, found.session_id, refreshToken, context.at);
  return next === undefined ? endReused(deps, context, found) : { ...tokens, refreshToken: next };
};

/** The next refresh token of the session; undefined when this one was replaced meanwhile. */
const replace = (deps: Pick<AccountDeps, 'pool'>, sessionId: string, refreshToken: string, at: string) =>
  inTransaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(
      'update ops.refresh_tokens set replaced_at = $2 where hash = $1 and replaced_at is null',
      [hashOf(refreshToken), at],
    );
    if (rowCount === 0) return undefined;
    const next = newRefreshToken();
    await client.query('insert into ops.refresh_tokens (hash, session_id, expires_at) values ($1, $2, $3)', [
      hashOf(next),
      sessionId,
      refreshExpiry(at),
    ]);
    await client.query('update ops.sessions set expires_at = $2 where id = $1', [sessionId, refreshExpiry(at)]);
    return next;
  });

/** Ends a session at once, and tells what depends on it, such as voice rooms. It has ended, also if the log is away. */
const endOne = async (
  deps: Pick<AccountDeps, 'pool' | 'aggregates' | 'log'>,
  context: CommandContext,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
): Promise<void> => {
  if (!(await endSession(deps.pool, accountId, sessionId))) return;
  try {
    await deps.aggregates.handle(
      account,
      accountId,
      { type: 'EndSession', sessionId },
      followUp(context, 'end session'),
    );
  } catch (error) {
    deps.log.warn({ err: error, account: accountId }, 'a session has ended, and the log does not say so');
  }
};

const endReused = async (
  deps: Pick<AccountDeps, 'pool' | 'aggregates' | 'log'>,
  context: CommandContext,
  found: Found,
): Promise<never> => {
  logSecurity(deps.log, 'refresh_token_reused', { ip: context.ip, account: found.account_id });
  await endOne(deps, context, { accountId: found.account_id, sessionId: found.session_id });
  throw refused();
};

/** Ends this session, or every session of the account by raising its token version. In effect on all nodes at once. */
export const logout = async (
  deps: Pick<AccountDeps, 'pool' | 'aggregates' | 'log'>,
  context: CommandContext,
  { accountId, sessionId, scope }: { accountId: string; sessionId: string; scope: 'session' | 'all' },
): Promise<void> => {
  if (scope === 'session') return endOne(deps, context, { accountId, sessionId });
  const { state } = await deps.aggregates.load(account, accountId);
  if (state.status === 'none') return;
  const revoke = { type: 'RevokeTokens', upTo: state.tokenVersion } as const;
  const { state: after } = await deps.aggregates.handle(account, accountId, revoke, context);
  if (after.status === 'open') await raiseTokenVersion(deps.pool, accountId, after.tokenVersion, 'end');
};
