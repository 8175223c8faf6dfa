/** How often a hub asks the database about a token while sessions end. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Pool } from '../../infra/postgres.ts';
import { signAccessToken } from '../../infra/tokens.ts';
import { createSessions } from '../../realtime/hub/sessions.ts';

const secrets = { jwtSecret: 'not-a-secret-that-nobody-else-uses', jwtSecretPrevious: undefined };

/** Checks one token; `during` is called while the database is asked for the first time. @returns how often it was asked */
const askedWhile = async (during: (sessions: ReturnType<typeof createSessions>, accountId: string) => void) => {
  const [accountId, sessionId] = [randomUUID(), randomUUID()];
  let asked = 0;
  const query = async () => {
    asked += 1;
    if (asked === 1) during(sessions, accountId);
    return { rows: [{ version: 1, proved_at: new Date(0).toISOString() }] };
  };
  const sessions = createSessions({ query } as unknown as Pool, secrets);
  const access = { accountId, sessionId, tokenVersion: 1, role: 'tourist' };
  const checked = await sessions.authenticate(await signAccessToken(secrets, access));
  expect(checked).toMatchObject({ accountId, sessionId });
  return asked;
};

describe('the check of a token', () => {
  test("is repeated when a session of its account ended meanwhile, or anybody's may have", async () => {
    expect(await askedWhile((sessions, accountId) => sessions.recheck([], accountId))).toBe(2);
    expect(await askedWhile((sessions) => sessions.recheck([]))).toBe(2);
  });

  test('is not repeated for sessions of others: where thousands connect, somebody always signs out', async () => {
    expect(await askedWhile((sessions) => sessions.recheck([], randomUUID()))).toBe(1);
  });
});
