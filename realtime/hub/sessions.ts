/** Checks the tokens of sockets, and checks sockets again when sessions end. */
import type { Pool } from '../../infra/postgres.ts';
import { withTimeout } from '../../infra/retry.ts';
import { checkSession, type Ended, type Session, type SessionCheck } from '../../infra/sessions.ts';
import { type Access, forgetToken, type TokenSecrets, verifyAccessToken } from '../../infra/tokens.ts';
import type { Connection } from './connection.ts';
import { createGate } from './limits.ts';

export interface Sessions {
  /** @throws TokenRefused when the token is bad; another error when it cannot be checked now */
  authenticate(token: string): Promise<Access>;
  /** Whether the session of an open socket is still open, and its token still accepted. */
  check(session: Session): Promise<SessionCheck['state']>;
  /**
   * Sessions have ended: checks these connections again, a few at a time.
   * @param accountId whose they were; absent when it may be anybody's
   */
  recheck(connections: readonly Connection[], accountId?: string): void;
}

const AUTHENTICATE_MS = 5_000;
const RECHECKS_AT_ONCE = 4;
/** No account's id. */
const ANYBODY = '';

export const createSessions = (pool: Pool, secrets: TokenSecrets): Sessions => {
  const gate = createGate(RECHECKS_AT_ONCE);
  /** Of each check that runs: the accounts whose sessions have ended since it began. */
  const endedSince = new Set<Set<string>>();

  /** When a session of the account ends while a token is being checked, the check may have read the old state: again. */
  const verify = async (token: string): Promise<Access> => {
    const ended = new Set<string>();
    endedSince.add(ended);
    try {
      const access = await verifyAccessToken({ pool, secrets }, token);
      if (!ended.has(access.accountId) && !ended.has(ANYBODY)) return access;
    } finally {
      endedSince.delete(ended);
    }
    return verify(token);
  };
  /** A socket shows its token once. */
  const verifyOnce = (token: string): Promise<Access> => verify(token).finally(() => forgetToken(secrets, token));

  return {
    authenticate: (token) => withTimeout(verifyOnce(token), AUTHENTICATE_MS, 'checking the token took too long'),
    check: async (session) => (await checkSession(pool, session)).state,
    recheck: (connections, accountId = ANYBODY) => {
      for (const ended of endedSince) ended.add(accountId);
      for (const connection of connections) void gate(() => connection.recheck());
    },
  };
};

/** The account in a notification about ended sessions; `ANYBODY` when it cannot be read. */
export const accountOf = (payload: string): string => {
  try {
    return (JSON.parse(payload) as Ended).accountId;
  } catch {
    return ANYBODY;
  }
};
