/** The people of the storm and their groups, made by commands on the stores of a running system. */
import { randomUUID } from 'node:crypto';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { startGroup } from '../../commands/chat/threads.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { signAccessToken, type TokenSecrets } from '../../infra/tokens.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';

/** Each person is in so many groups, with a socket for each. The hub allows 20 sockets to an account. */
const GROUPS_EACH = 10;
const GROUP_SIZE = 10;
const AT_ONCE = 16;

export interface Member {
  readonly id: string;
  readonly token: string;
}
export interface Group {
  readonly id: string;
  readonly members: readonly Member[];
}

/** A session of a tourist as a sign-in opens it, without the work of a password. @returns its access token */
export const newSession = async (deps: CommandDeps, secrets: TokenSecrets, accountId: string): Promise<string> => {
  const sessionId = randomUUID();
  await deps.pool.query(
    `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
     values ($1, $2, 0, now(), now() + interval '1 day')`,
    [sessionId, accountId],
  );
  return signAccessToken(secrets, { accountId, sessionId, role: 'tourist', tokenVersion: 0 });
};

/** @param names of the account, if it has any */
export const newMember = async (
  deps: CommandDeps,
  secrets: TokenSecrets,
  names: { readonly firstName?: string; readonly lastName?: string } = {},
): Promise<Member> => {
  const opened = { role: 'tourist', phone: newPhone(), ...names } as const;
  const { accountId: id } = await openAccount(deps, contextOf(randomUUID()), opened);
  return { id, token: await newSession(deps, secrets, id) };
};

/** So many groups of `GROUP_SIZE` people. */
export const startGroups = async (deps: CommandDeps, secrets: TokenSecrets, count: number): Promise<Group[]> => {
  const people: Member[] = [];
  const circles = Math.ceil(count / GROUPS_EACH);
  await concurrentEach(Array(circles * GROUP_SIZE).keys(), AT_ONCE, async () => {
    people.push(await newMember(deps, secrets));
  });
  const groups: Group[] = [];
  await concurrentEach(Array(count).keys(), AT_ONCE, async (n) => {
    const first = (n % circles) * GROUP_SIZE;
    const members = people.slice(first, first + GROUP_SIZE);
    const [owner] = members as [Member, ...Member[]];
    const memberIds = members.map(({ id }) => id);
    const started = await startGroup(deps, contextOf(owner.id), owner.id, { title: `Group ${n}`, memberIds });
    groups.push({ id: started.threadId, members });
  });
  return groups;
};
