/** The stores with a projector of chats and two hubs. */

import { randomUUID } from 'node:crypto';
import { openAccount } from '../../commands/accounts/accounts.ts';
import type { Pool } from '../../infra/postgres.ts';
import { signAccessToken } from '../../infra/tokens.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import { threads } from '../../projections/chat/threads.ts';
import { groups as allGroups } from '../../projections/modules.ts';
import { type RunningHub, startHub } from '../../realtime/hub/hub.ts';
import { channels } from '../../realtime/modules.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { testDeps } from '../kit/deps.ts';
import { startProjector } from '../kit/projector.ts';
import { freshStores } from '../kit/stores.ts';
import { secrets } from '../realtime/stage.ts';

const groups = allGroups.filter(({ models }) => [threads, accounts].some((model) => models.includes(model)));

/** An account, and the token of one of its sessions. */
export interface Person {
  readonly id: string;
  readonly token: string;
}

export const createChatStage = async () => {
  const stores = await freshStores();
  const node = testDeps(stores);
  const projector = await startProjector({ ...node, groups });
  const newHub = (pool: Pool = stores.pool) =>
    startHub({
      port: 0,
      host: '127.0.0.1',
      pool,
      databaseUrl: stores.databaseUrl,
      secrets,
      version: '1.2.3',
      channels,
      payloads: [],
      transport: 'ws',
      trustProxy: 0,
      log: stores.log,
    });
  const hubs = [await newHub(), await newHub()] as const;
  return {
    node,
    stores,
    newPerson: async (): Promise<Person> => {
      const opening = { role: 'tourist', phone: newPhone() } as const;
      const { accountId: id } = await openAccount(node, contextOf(randomUUID()), opening);
      const sessionId = randomUUID();
      await stores.pool.query(
        `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
         values ($1, $2, 0, now(), now() + interval '1 day')`,
        [sessionId, id],
      );
      const token = await signAccessToken(secrets, { accountId: id, sessionId, role: 'tourist', tokenVersion: 0 });
      return { id, token };
    },
    newHub,
    /** The port of one of the hubs. */
    portOf: (n: number): number => (hubs[n % hubs.length] as RunningHub).port,
    stop: async () => {
      for (const hub of hubs) await hub.stop();
      await projector.stop();
      await stores.stop();
    },
  };
};
