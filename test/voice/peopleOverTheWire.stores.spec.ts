/** Who is in voice rooms and may talk there, against the voice server of the sandbox, over the wire. */
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sanctionId } from '../../commands/forums/sanctions.ts';
import { unknownReports } from '../../commands/voice/unknownReports.ts';
import { streamName } from '../../domain/core/decider.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { enteredRoom, KEYS, startVoiceWorld, type VoiceWorld } from './voiceWorld.ts';

let [servers, stores, world] = [{} as StoreServers, {} as Stores, {} as VoiceWorld];
beforeAll(async () => {
  servers = await startStoreServers();
  stores = await servers.fresh();
  world = await startVoiceWorld(stores, { timeoutS: 2 });
});
beforeEach(async () => {
  await mode('once');
  await world.control('POST /sandbox/voice/failures', { method: 'none', how: 'away', count: 0 });
});
afterAll(async () => {
  await world.stop();
  await stores.stop();
  await servers.stop();
});

const mode = (to: string) => world.control('POST /sandbox/voice/webhooks', { mode: to });
const fail = (how: string, method: string, count = 1) =>
  world.control('POST /sandbox/voice/failures', { method, how, count });
const inRoom = () => enteredRoom(world);

describe('people in a room', () => {
  const talks = async (topicId: string) =>
    (await world.roomAtServer(topicId))?.participants.map(
      ({ permission }: { permission: { can_publish: boolean } }) => permission.can_publish,
    );
  const sanction = (accountId: string, topicId: string | null) => {
    const until_ = instantOf(Date.now() + HOUR_MS);
    const data = { accountId, topicId, number: 1, until: until_, reason: 'Loud' };
    world.given(streamName('forumSanction', sanctionId({ accountId, topicId })), {
      type: 'ForumSanctionImposed',
      data,
    });
  };

  it('are found by asking when every report is lost', async () => {
    await mode('lost');
    const { anna, topicId, room, sid } = await inRoom();
    expect(world.room(topicId).present).toEqual([]);
    await world.look(topicId);
    expect(world.room(topicId).present).toEqual([{ connectionId: sid, accountId: anna }]);
    await fail('away', 'ListParticipants');
    expect(await world.look(topicId)).toMatchObject({ againAt: expect.any(String) });
    await world.control('POST /sandbox/voice/leave', { room, sid });
    expect(await world.look(topicId)).toBeUndefined();
    expect(world.room(topicId)).toMatchObject({ present: [], openedBy: null });
  });

  it('have one place for each device, however reports come', async () => {
    const { anna, topicId } = await inRoom();
    await mode('doubled');
    await world.join((await world.enter(topicId, anna)).token);
    await until(() => world.room(topicId).present.length === 2);
    expect((await world.roomAtServer(topicId)).participants).toHaveLength(2);
  });

  it('cannot talk from the moment they are muted, also not after joining again', async () => {
    const { topicId } = await inRoom();
    const boris = world.person();
    const { token: borisToken } = await world.enter(topicId, boris);
    await world.join(borisToken);
    expect(await talks(topicId)).toEqual([true, true]);
    sanction(boris, topicId);
    await world.look(topicId);
    expect(await talks(topicId)).toEqual([true, false]);
    // A token from before lets them talk, until the report of their joining comes.
    await world.join(borisToken);
    await until(async () => (await talks(topicId))?.join() === 'true,false');
    const lifted = { type: 'ForumSanctionLifted', data: { accountId: boris, topicId } };
    world.given(streamName('forumSanction', sanctionId({ accountId: boris, topicId })), lifted);
    await world.look(topicId);
    expect(await talks(topicId)).toEqual([true, true]);
    world.given(streamName('forumTopic', topicId), { type: 'ForumTopicLocked', data: {} });
    await world.look(topicId);
    expect(await talks(topicId)).toEqual([false, false]);
  });

  it('are thrown out when they are banned, and their tokens do not let them in again', async () => {
    const { topicId } = await inRoom();
    const boris = world.person();
    const { token } = await world.enter(topicId, boris);
    await world.join(token);
    sanction(boris, null);
    await world.look(topicId);
    expect(await talks(topicId)).toEqual([true]);
    // In the second of its making a token still works for the voice server: then the report throws them out.
    await world.join(token);
    await until(async () => (await talks(topicId))?.length === 1);
  });

  it('are looked at as soon as a right ends', async () => {
    const { anna, topicId } = await inRoom();
    const due = async () => {
      const { rows } = await stores.pool.query<{ soon: boolean }>(
        `select run_at <= now() as soon from ops.jobs where kind = 'voice_room' and id = $1`,
        [topicId],
      );
      return rows[0]?.soon;
    };
    expect(await due()).toBe(false);
    await world.react('forumSanction', topicId, {
      type: 'ForumSanctionImposed',
      data: { accountId: anna, topicId: null, number: 1, until: '2030-01-01T00:00:00Z', reason: 'Loud' },
    });
    expect(await due()).toBe(true);
  });
});

it('keeps what is reported of a room that is not known, once, and how often', async () => {
  await mode('doubled');
  const room = 'somebody-else';
  const token = new AccessToken(KEYS.apiKey, KEYS.apiSecret, { identity: 'somebody', ttl: 60 });
  token.addGrant({ roomJoin: true, room });
  await world.join(await token.toJwt());
  const found = await until(async () => {
    const reports = (await unknownReports(stores.pool)).filter((one) => one.room === room);
    return reports.some(({ event, times }) => event === 'participant_joined' && times === 2) && reports;
  });
  expect(found).toMatchObject([{ egress_id: null }, { egress_id: null }]);
});
