/** Who may stay in the voice room of a topic. */
import { expect, it } from 'vitest';
import { sanctionId } from '../../commands/forums/sanctions.ts';
import type { VoiceDeps } from '../../commands/voice/deps.ts';
import { roomLook } from '../../commands/voice/rooms.ts';
import { ANNA, AT, BORIS, LATER, started, TOPIC, VERA, written } from '../forums/forumFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';

it('who was banned, or has deleted the account, is removed from the room', async () => {
  const aggregates = memoryAggregates();
  const person = { role: 'tourist', email: null, phone: null, firstName: 'Anna', lastName: 'Orlova', language: 'en' };
  const opened = { type: 'AccountOpened', data: person };
  aggregates.given(`forumTopic-${TOPIC}`, [started, written()]);
  for (const who of [ANNA, BORIS, VERA]) aggregates.given(`account-${who}`, [opened]);
  aggregates.given(`account-${BORIS}`, [{ type: 'PersonErased', data: {} }]);
  const ban = { accountId: VERA, topicId: null, number: 1, until: LATER, reason: 'Spam' };
  aggregates.given(`forumSanction-${sanctionId({ accountId: VERA, topicId: null })}`, [
    { type: 'ForumSanctionImposed', data: ban },
  ]);
  const removed: string[] = [];
  const voiceServer = {
    connections: async () => [ANNA, BORIS, VERA].map((accountId) => ({ accountId, connectionId: `PA_${accountId}` })),
    remove: async (_: string, accountId: string) => void removed.push(accountId),
  };
  const deps = { aggregates, voiceServer } as unknown as VoiceDeps;
  const job = { id: TOPIC, data: { openUntil: LATER } } as never;
  await roomLook.run(job, { deps, context: contextOf('system', 'system', AT) } as never);
  expect(removed).toEqual([BORIS, VERA]);
});
