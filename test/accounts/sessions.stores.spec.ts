/** The check of sessions, which every request with a token makes. */
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../infra/ids.ts';
import { checkSession, endSession, raiseTokenVersion, recordProof, type Session } from '../../infra/sessions.ts';
import { statementsOf } from '../kit/counts.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
});

const open = async (accountId = newId(), tokenVersion = 0): Promise<Session> => {
  const session = { accountId, sessionId: newId(), tokenVersion };
  await stores.pool.query(
    `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
     values ($1, $2, $3, '2026-11-20T10:00:00Z', '2026-12-20T10:00:00Z')`,
    [session.sessionId, accountId, tokenVersion],
  );
  return session;
};
const check = (session: Session) => checkSession(stores.pool, session);
const STARTED = Date.parse('2026-11-20T10:00:00Z');

it('says of each session what it is, although they are asked for together, in one statement', async () => {
  const [live, ended, revoked, kept, proved] = [await open(), await open(), await open(), await open(), await open()];
  await endSession(stores.pool, ended.accountId, ended.sessionId);
  await raiseTokenVersion(stores.pool, revoked.accountId, 1, 'end');
  await raiseTokenVersion(stores.pool, kept.accountId, 2, 'stay');
  await recordProof(stores.pool, proved, '2026-11-21T08:00:00Z');
  const asked = [
    live,
    ended,
    { ...live, accountId: newId() },
    revoked,
    kept,
    { ...kept, tokenVersion: 2 },
    proved,
    { ...live, sessionId: newId() },
    live,
  ];
  let states: unknown[] = [];
  const statements = await statementsOf('test', async () => {
    states = await Promise.all(asked.map(check));
  });
  const over = { state: 'ended', provedAt: 0 };
  expect(states).toEqual([
    { state: 'live', provedAt: STARTED },
    over,
    over,
    over,
    { state: 'replaced', provedAt: STARTED },
    { state: 'live', provedAt: STARTED },
    { state: 'live', provedAt: Date.parse('2026-11-21T08:00:00Z') },
    over,
    { state: 'live', provedAt: STARTED },
  ]);
  expect(statements).toHaveLength(1);
});

it('asks anew each time: the next check sees that a session has ended', async () => {
  const session = await open();
  expect(await check(session)).toMatchObject({ state: 'live' });
  await endSession(stores.pool, session.accountId, session.sessionId);
  expect(await check(session)).toMatchObject({ state: 'ended' });
});
