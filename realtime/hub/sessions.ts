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
  /** Sessions have ended: checks these connections again, a few at a time. */
  recheck(connections: readonly Connection[]): void;
}

const AUTHENTICATE_MS = 5_000;
const RECHECKS_AT_ONCE = 4;

export const createSessions = (pool: Pool, secrets: TokenSecrets): Sessions => {
  const gate = createGate(RECHECKS_AT_ONCE);
  /** Counts the notifications about ended sessions. */
  let endings = 0;

  /** When a session ends while a token is being checked, the check may have read the old state: it is repeated. */
  const verify = async (token: string): Promise<Access> => {
    const before = endings;
    const access = await verifyAccessToken({ pool, secrets }, token);
    return endings === before ? access : verify(token);
  };
  /** A socket shows its token once. */
  const verifyOnce = (token: string): Promise<Access> => verify(token).finally(() => forgetToken(secrets, token));

  return {
    authenticate: (token) => withTimeout(verifyOnce(token), AUTHENTICATE_MS, 'checking the token took too long'),
    check: async (session) => (await checkSession(pool, session)).state,
    recheck: (connections) => {
      endings += 1;
      for (const connection of connections) void gate(() => connection.recheck());
    },
  };
};

/** The account in a notification about ended sessions. Empty, which is no account's id, when it cannot be read. */
export const accountOf = (payload: string): string => {
  try {
    return (JSON.parse(payload) as Ended).accountId;
  } catch {
    return '';
  }
};
