/** Support tickets on the real stores: what messages lead to, and deadlines on a clock of ours. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { sendMessage } from '../../commands/chat/messages.ts';
import { openTicket, resolveOfErased, resolveTicket, takeTicket } from '../../commands/support/tickets.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { supportDesk } from '../../domain/support/supportDesk.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { createMachine } from '../model/machine.ts';

const T = Date.parse('2027-01-01T10:00:00Z');
const time = { ms: T };
let stores: Stores;
let node: Node;
let machine: ReturnType<typeof createMachine>;
const start = () => testDeps(stores, { now: () => instantOf(time.ms) });
beforeAll(async () => {
  stores = await freshStores();
  node = start();
  machine = createMachine(start, time);
});

const [PERSON, AGENT, OTHER] = [randomUUID(), randomUUID(), randomUUID()];
const by = (accountId: string) => contextOf(accountId, 'tourist', instantOf(time.ms));
const desk = async () => (await node.aggregates.load(supportDesk, PERSON)).state;
const send = async (threadId: string, accountId: string) => {
  const text = {
    kind: 'text',
    body: 'Hi',
    mentions: [],
    attachments: [],
    replyTo: null,
    clientMessageId: null,
  } as const;
  await sendMessage(node, by(accountId), { accountId, isAgent: accountId !== PERSON }, { threadId, ...text });
};
const write = async (threadId: string, accountId: string) => {
  await send(threadId, accountId);
  await machine.work('main');
};

it('a ticket whose agent does not answer goes back to the queue, and can be taken by another', async () => {
  const context = by(PERSON);
  const question = { subject: 'Glove', message: 'Where is it?' };
  const opened = await openTicket(node, context, PERSON, question);
  expect(await openTicket(start(), context, PERSON, question)).toEqual(opened);
  expect(await stores.store.read(`thread-${opened.threadId}`, { max: 10 })).toHaveLength(2);
  const { ticketId, threadId } = opened;
  const ticket = { ticketId, accountId: PERSON };
  expect(await openTicket(node, by(PERSON), PERSON, question)).toEqual({ ticketId, threadId, isNew: false });
  await machine.work('main');
  expect(await desk()).toMatchObject({ status: 'waiting' });

  await takeTicket(node, by(AGENT), ticket, AGENT);
  await machine.settle();
  expect(time.ms).toBe(T + 30 * MINUTE_MS);
  expect(await desk()).toMatchObject({ status: 'waiting' });

  await takeTicket(node, by(OTHER), ticket, OTHER);
  await write(threadId, OTHER);
  expect(await desk()).toMatchObject({ status: 'answered', agentId: OTHER });
  await machine.settle();
  expect(await desk()).toMatchObject({ status: 'answered', agentId: OTHER });

  await write(threadId, PERSON);
  const answerBy = instantOf(time.ms + 30 * MINUTE_MS);
  expect(await desk()).toMatchObject({ status: 'assigned', agentId: OTHER, answerBy });
  await machine.settle();
  expect(await desk()).toMatchObject({ status: 'waiting' });

  await resolveTicket(node, by(OTHER), ticket, OTHER);
  await machine.work('main');
  expect(await desk()).toMatchObject({ status: 'resolved' });
  await write(threadId, PERSON);
  expect(await desk()).toMatchObject({ status: 'waiting', id: ticketId });
  await resolveTicket(node, by(OTHER), ticket, OTHER);
  const next = await openTicket(node, by(PERSON), PERSON, question);
  expect(next).toMatchObject({ threadId, isNew: true });
  await machine.settle();
  expect(await desk()).toMatchObject({ status: 'waiting', id: next.ticketId });
});

it('a message from before the ticket was resolved does not reopen it, when the policy is behind', async () => {
  const { ticketId, threadId } = await openTicket(node, by(PERSON), PERSON, { subject: 'Late', message: 'Hello' });
  const ticket = { ticketId, accountId: PERSON };
  await write(threadId, AGENT);
  await send(threadId, PERSON);
  await resolveTicket(node, by(AGENT), ticket, AGENT);
  await machine.settle();
  expect(await desk()).toMatchObject({ status: 'resolved', id: ticketId });
  await write(threadId, PERSON);
  expect(await desk()).toMatchObject({ status: 'waiting', id: ticketId });
});

it('a message of an agent from before the ticket was opened does not answer it, when the policy is behind', async () => {
  const question = { subject: 'Lift', message: 'When does it open?' };
  const { ticketId, threadId } = await openTicket(node, by(PERSON), PERSON, question);
  await resolveTicket(node, by(AGENT), { ticketId, accountId: PERSON }, AGENT);
  await send(threadId, AGENT);
  const next = await openTicket(node, by(PERSON), PERSON, question);
  await machine.work('main');
  expect(await desk()).toMatchObject({ status: 'waiting', id: next.ticketId });
  await write(threadId, AGENT);
  expect(await desk()).toMatchObject({ status: 'answered', agentId: AGENT });
});

it('the ticket of an erased person does not wait for an answer', async () => {
  const context = by(PERSON);
  await resolveOfErased(node, context, randomUUID());
  await resolveOfErased(node, context, PERSON);
  await resolveOfErased(node, context, PERSON);
  await machine.settle();
  expect(await desk()).toMatchObject({ status: 'resolved' });
});
