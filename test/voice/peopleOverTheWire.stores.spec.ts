/** Who is in voice rooms and may talk there, against the voice server of the sandbox, over the wire. */
import { decodeJwt } from 'jose';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sanctionId } from '../../commands/forums/sanctions.ts';
import { enterRoom } from '../../commands/voice/rooms.ts';
import { unknownReports } from '../../commands/voice/unknownReports.ts';
import { streamName } from '../../domain/core/decider.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { endSession } from '../../infra/sessions.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { enteredRoom, KEYS, startVoiceWorld, type VoiceWorld } from './voiceWorld.ts';

let [stores, world] = [{} as Stores, {} as VoiceWorld];
beforeAll(async () => {
  stores = await freshStores();
  world = await startVoiceWorld(stores, { timeoutS: 2 });
});
beforeEach(async () => {
  await mode('once');
  await world.control('POST /sandbox/voice/failures', { method: 'none', how: 'away', count: 0 });
});
afterAll(async () => {
  await world.stop();
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
    const { renewed_token } = (await world.join(token)).body;
    sanction(boris, null);
    await world.look(topicId);
    expect(await talks(topicId)).toEqual([true]);
    // Their token still works for the voice server, and so does the one that it gave them: the report throws them out.
    for (const each of [token, renewed_token]) {
      await world.join(each);
      await until(async () => (await talks(topicId))?.length === 1);
    }
  });

  const devices = async (topicId: string) => (await world.roomAtServer(topicId))?.participants ?? [];
  const due = async (topicId: string): Promise<boolean> => {
    const { rows } = await stores.pool.query<{ soon: boolean }>(
      `select run_at <= now() as soon from ops.jobs where kind = 'voice_room' and id = $1`,
      [topicId],
    );
    return rows[0]?.soon ?? false;
  };
  /** Two seconds after a room was opened it is looked at anyway. */
  const dueLater = (topicId: string) =>
    stores.pool.query(`update ops.jobs set run_at = now() + interval '1 hour' where kind = 'voice_room' and id = $1`, [
      topicId,
    ]);

  it('leave the room when they sign out on that device, or everywhere, and do not come back', async () => {
    for (const how of ['session', 'all'] as const) {
      const { anna, topicId } = await inRoom();
      await until(() => world.room(topicId).present.length === 1);
      const session = await world.signIn(anna);
      const { token } = await world.enter(topicId, anna, session);
      await world.join(token);
      await until(() => world.room(topicId).present.length === 2);
      const revoked = { type: 'TokensRevoked', data: { tokenVersion: 1 } };
      const one = { type: 'SessionEnded', data: { sessionId: session } };
      if (how === 'session') await endSession(stores.pool, anna, session);
      else world.given(streamName('account', anna), revoked);
      await dueLater(topicId);
      expect(await due(topicId)).toBe(false);
      await world.react('account', anna, how === 'session' ? one : revoked);
      expect(await due(topicId)).toBe(true);
      await world.look(topicId);
      const left = how === 'session' ? 1 : 0;
      expect(await devices(topicId)).toHaveLength(left);
      await world.join(token);
      await until(async () => (await devices(topicId)).length === left);
    }
  });

  it('keep only the rights of the role that they have now', async () => {
    const { topicId } = await inRoom();
    const admin = world.person('admin');
    await world.join((await world.enter(topicId, admin)).token);
    world.given(streamName('forumTopic', topicId), { type: 'ForumTopicLocked', data: {} });
    await world.look(topicId);
    expect(await talks(topicId)).toEqual([false, true]);
    const demoted = { type: 'RoleGranted', data: { role: 'tourist' } };
    world.given(streamName('account', admin), demoted);
    world.given(streamName('account', admin), { type: 'TokensRevoked', data: { tokenVersion: 1, sessionsStay: true } });
    await world.look(topicId);
    expect(await talks(topicId)).toEqual([false, false]);
  });

  it('can talk again at the moment when their mute ends', async () => {
    const { anna, topicId } = await inRoom();
    sanction(anna, topicId);
    const soon = instantOf(Date.now() + 45_000);
    world.given(streamName('forumSanction', sanctionId({ accountId: anna, topicId })), {
      type: 'ForumSanctionImposed',
      data: { accountId: anna, topicId, number: 2, until: soon, reason: 'Loud' },
    });
    expect(await world.look(topicId)).toEqual({ againAt: soon });
    expect(await talks(topicId)).toEqual([false]);
    await world.look(topicId, soon);
    expect(await talks(topicId)).toEqual([true]);
    // Whoever joins while muted is looked at again then, too.
    await until(() => world.room(topicId).present.length === 1);
    await dueLater(topicId);
    await world.join((await world.enter(topicId, anna)).token);
    await until(() => due(topicId));
  });

  it('send sound and nothing else, also with a token of before', async () => {
    const { topicId } = await inRoom();
    const sources = async () =>
      (await devices(topicId)).map((one: { permission: { can_publish_sources: string[] } }) => [
        ...one.permission.can_publish_sources,
      ]);
    expect(await sources()).toEqual([['MICROPHONE']]);
    const boris = world.person();
    const { identity } = await world.enter(topicId, boris);
    await mode('lost');
    const former = new AccessToken(KEYS.apiKey, KEYS.apiSecret, { identity, name: 'Anna O.', ttl: 60 });
    former.addGrant({ roomJoin: true, room: `besedka-${topicId}`, canPublish: true, roomAdmin: true });
    await world.join(await former.toJwt());
    expect(await sources()).toEqual([['MICROPHONE'], []]);
    await world.look(topicId);
    expect(await sources()).toEqual([['MICROPHONE'], ['MICROPHONE']]);
  });

  it('are not admins of the room for the voice server, whatever they are here', async () => {
    const anna = world.person('admin');
    const topicId = world.topicOf(anna);
    const sessionId = await world.signIn(anna);
    const who = { accountId: anna, isModerator: true, sessionId };
    const { token } = await enterRoom(world.deps, contextOf(anna), topicId, who);
    const { video, exp = 0, nbf = 0 } = decodeJwt(token) as { video: object; exp?: number; nbf?: number };
    expect(exp - nbf).toBe(60);
    expect(video).toEqual({
      roomJoin: true,
      room: `besedka-${topicId}`,
      canPublish: true,
      canPublishSources: ['microphone'],
      canPublishData: true,
      canSubscribe: true,
    });
  });

  it('are shown under a new name', async () => {
    const { anna, topicId } = await inRoom();
    await until(() => world.room(topicId).present.length === 1);
    await dueLater(topicId);
    const renamed = { type: 'ProfileChanged', data: { firstName: 'Anya' } };
    world.given(streamName('account', anna), renamed);
    await world.react('account', anna, renamed);
    expect(await due(topicId)).toBe(true);
    await world.look(topicId);
    expect(await devices(topicId)).toMatchObject([{ name: 'Anya O.' }]);
  });

  it('are not shown twice after a crash of the voice server', async () => {
    const { topicId, token, sid } = await inRoom();
    await until(() => world.room(topicId).present.length === 1);
    await world.control('POST /sandbox/voice/crash');
    await world.join(token);
    await until(() => world.room(topicId).present.length === 2);
    const { rows } = await stores.pool.query<{ soon: boolean }>(
      `select run_at <= now() + interval '3 seconds' as soon from ops.jobs where kind = 'voice_room' and id = $1`,
      [topicId],
    );
    expect(rows).toEqual([{ soon: true }]);
    await world.look(topicId);
    expect(world.room(topicId).present).toHaveLength(1);
    expect(world.room(topicId).present).not.toContainEqual(expect.objectContaining({ connectionId: sid }));
  });

  it('are looked at as soon as a right ends', async () => {
    const { anna, topicId } = await inRoom();
    await until(() => world.room(topicId).present.length === 1);
    await dueLater(topicId);
    expect(await due(topicId)).toBe(false);
    await world.react('forumSanction', topicId, {
      type: 'ForumSanctionImposed',
      data: { accountId: anna, topicId: null, number: 1, until: '2030-01-01T00:00:00Z', reason: 'Loud' },
    });
    expect(await due(topicId)).toBe(true);
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
