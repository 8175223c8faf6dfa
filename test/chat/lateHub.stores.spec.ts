/** A hub that is late sends what others have had before. Meanwhile texts are edited, and people leave. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { editMessage, sendMessage } from '../../commands/chat/messages.ts';
import { removeMember, startGroup } from '../../commands/chat/threads.ts';
import type { Pool } from '../../infra/postgres.ts';
import { contextOf } from '../kit/context.ts';
import { until } from '../kit/until.ts';
import { connect, type Listening } from '../realtime/stage.ts';
import { knownMessage } from './chatFixtures.ts';
import { createChatStage, type Person } from './chatStage.ts';

let stage: Awaited<ReturnType<typeof createChatStage>>;
beforeAll(async () => {
  stage = await createChatStage();
});
afterAll(() => stage.stop());

/** A hub whose reading of changes waits for `letGo`. */
const startLateHub = async () => {
  let letGo = (): void => undefined;
  let gate: Promise<void> = Promise.resolve();
  const query = async (text: string, values?: unknown[]) => {
    if (text.includes('as misses')) await gate;
    return stage.stores.pool.query(text, values);
  };
  const pool = new Proxy(stage.stores.pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)),
  }) as Pool;
  const hub = await stage.newHub(pool);
  return {
    hub,
    hold: () => {
      gate = new Promise((resolve) => {
        letGo = resolve;
      });
    },
    letGo: () => letGo(),
  };
};

const textsOf = ({ frames }: Listening): unknown[] =>
  frames.flatMap((frame) => ('data' in frame && 'body' in frame.data ? [frame.data.body] : []));

it('shows who was removed nothing that was written afterwards, and the others all of it', async () => {
  const { node, stores } = stage;
  const [owner, leaving] = [await stage.newPerson(), await stage.newPerson()] as [Person, Person];
  const memberIds = [owner.id, leaving.id];
  const { threadId } = await startGroup(node, contextOf(owner.id), owner.id, { title: 'Group', memberIds });
  const channel = `chat_${threadId}`;
  const isTold = (condition: string) =>
    until(async () => {
      const sql = `select 1 from read.changes where channel = $1 and ${condition}`;
      return (await stores.pool.query(sql, [channel])).rowCount;
    });
  await isTold('starts_for is not null');
  const { hub, hold, letGo } = await startLateHub();
  const sockets = [owner, leaving].map(({ token }) => connect(hub.port, token)) as [Listening, Listening];
  for (const socket of sockets)
    expect(await socket.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'subscribed' });

  hold();
  const actor = { accountId: owner.id, isAgent: false };
  const content = { kind: 'text', body: 'before', mentions: [], attachments: [] } as const;
  const context = contextOf(owner.id);
  const where = { threadId, replyTo: null, clientMessageId: null };
  const sent = await sendMessage(node, context, actor, { ...where, ...content });
  await isTold("type = 'message.created'");
  await removeMember(node, contextOf(owner.id), threadId, { by: owner.id, accountId: leaving.id });
  await isTold('ends_for is not null');
  await editMessage(node, contextOf(owner.id), actor, knownMessage(threadId, sent, context.at), { body: 'afterwards' });
  await isTold("type = 'message.updated'");
  letGo();

  await until(() => textsOf(sockets[0]).includes('afterwards'));
  await until(() => sockets[1].frames.some(({ type }) => type === 'unsubscribed'));
  expect(textsOf(sockets[0])).toEqual([null, 'afterwards']);
  expect(textsOf(sockets[1])).toEqual([null]);
  for (const { socket } of sockets) socket.terminate();
  await hub.stop();
});
