/** Who may stay in the voice room of a topic. */
import { expect, it } from 'vitest';
import { sanctionId } from '../../commands/forums/sanctions.ts';
import type { VoiceDeps } from '../../commands/voice/deps.ts';
import { enterable, holdToRights } from '../../commands/voice/rights.ts';
import type { VoiceServer } from '../../commands/voice/voiceServer.ts';
import { ANNA, AT, BORIS, LATER, started, TOPIC, VERA, written } from '../forums/forumFixtures.ts';
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
  const voiceServer = { remove: async (_: string, identity: string) => void removed.push(identity) };
  const pool = { query: async () => ({ rows: [{ token_version: 0 }] }) };
  const deps = { aggregates, voiceServer, pool } as unknown as VoiceDeps & { voiceServer: VoiceServer };
  const device = {
    ...{ connectionId: 'PA_1', sessionId: TOPIC, name: 'Anna O.' },
    ...{ canTalk: true, canSendMore: false },
  } as const;
  for (const accountId of [ANNA, BORIS, VERA])
    await holdToRights(deps, { at: AT }, TOPIC, { ...device, accountId, identity: accountId });
  expect(removed).toEqual([BORIS, VERA]);
  await expect(enterable(deps, { at: AT }, TOPIC, VERA)).rejects.toThrow(
    'You are banned from the forums and their voice rooms',
  );
});
