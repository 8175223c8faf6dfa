/** Voice rooms against the voice server of the sandbox, over the wire: signed reports that are doubled, reversed and lost. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordingFile, removeRecording, removeRecordingsOf } from '../../commands/voice/recordingRemovals.ts';
import { stopRecording } from '../../commands/voice/recordings.ts';
import { recordingsWith } from '../../commands/voice/voices.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { isRunning } from '../../domain/voice/recording.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { deleteErasedBytes } from '../kit/toldOutside.ts';
import { until } from '../kit/until.ts';
import { enteredRoom, startVoiceWorld, type VoiceWorld } from './voiceWorld.ts';

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
const stop = (topicId: string, accountId: string) =>
  stopRecording(world.deps, contextOf(accountId), topicId, { accountId, isModerator: false });

const inRoom = () => enteredRoom(world);
const status = (id: string) => world.recording(id).status;

const HISTORIES = 60;

describe('recordings', () => {
  const OUTCOMES = ['complete', 'failed', 'aborted', 'empty', 'forgotten'] as const;
  const MODES = ['once', 'doubled', 'reversed', 'lost'] as const;
  const STEPS = ['stop', 'leave', 'look', 'look at room', 'nothing'] as const;
  const Histories = fc.record({
    outcome: fc.constantFrom(...OUTCOMES),
    steps: fc.array(fc.constantFrom(...STEPS), { maxLength: 5 }),
    end: fc.constantFrom('stop', 'leave'),
  });
  type History = typeof Histories extends fc.Arbitrary<infer H> ? H : never;

  /** @returns the recording, once a history is over: as the voice server tells it, or its job finds out */
  const play = async ({ outcome, steps, end }: History): Promise<string> => {
    const { anna, topicId, room, sid } = await inRoom();
    await world.control('POST /sandbox/voice/recordings', { outcome, room });
    const id = await world.record(topicId, anna);
    await world.recorded(topicId);
    for (const step of [...steps, end]) {
      if (step === 'stop') await stop(topicId, anna);
      if (step === 'leave') await world.control('POST /sandbox/voice/leave', { room, sid });
      if (step === 'look') await world.lookAtRecording(id, topicId);
      if (step === 'look at room') await world.look(topicId);
    }
    await until(async () => (await world.lookAtRecording(id, topicId)) === undefined);
    return id;
  };

  it(`${HISTORIES} random histories of reports end in the right recordings`, async () => {
    const right = { complete: 'ended', failed: 'failed', aborted: 'failed', empty: 'failed', forgotten: 'failed' };
    const ids: string[] = [];
    const histories = fc.sample(Histories, { numRuns: HISTORIES });
    const check = (id: string, { outcome }: History) =>
      expect({ id, outcome, is: status(id) }).toMatchObject({ is: right[outcome] });
    for (const [nth, each] of MODES.entries()) {
      await mode(each);
      const some = histories.filter((_, index) => index % MODES.length === nth);
      await concurrentEach(some, 8, async (history) => {
        const id = await play(history);
        check(id, history);
        ids.push(id);
      });
    }
    expect(new Set(ids).size).toBe(HISTORIES);
    await mode('once');
  });

  it('a start that is not answered is looked up before it is tried again', async () => {
    const { anna, topicId, room } = await inRoom();
    await mode('lost');
    await fail('silent', 'StartRoomCompositeEgress');
    const id = await world.record(topicId, anna);
    expect(status(id)).toBe('requested');
    await world.recorded(topicId);
    expect(await world.lookAtRecording(id, topicId)).toMatchObject({ againAt: expect.any(String) });
    expect(status(id)).toBe('started');
    const started = await world.deps.voiceServer?.recordingsOf(topicId);
    expect(started).toMatchObject([{ recordingId: id, phase: 'recording' }]);
    expect((await world.roomAtServer(topicId))?.metadata).toContain(id);
    await world.control('POST /sandbox/voice/recordings', { outcome: 'complete', room });
  });

  it('a start that was not executed is tried again', async () => {
    const { anna, topicId } = await inRoom();
    await fail('away', 'StartRoomCompositeEgress');
    const id = await world.record(topicId, anna);
    expect(status(id)).toBe('requested');
    await world.lookAtRecording(id, topicId);
    await until(() => status(id) === 'started');
    expect(await world.deps.voiceServer?.recordingsOf(topicId)).toHaveLength(1);
  });

  it('a start that is refused has failed, and one that never begins is given up', async () => {
    const { anna, topicId } = await inRoom();
    await fail('refused', 'StartRoomCompositeEgress');
    await expect(world.record(topicId, anna)).rejects.toMatchObject({ code: 'voice_unavailable' });
    expect(world.room(topicId).recordingId).toBeNull();
    await fail('away', 'StartRoomCompositeEgress');
    const id = await world.record(topicId, anna);
    await world.lookAtRecording(id, topicId, { beginBy: instantOf(0) });
    expect(status(id)).toBe('failed');
  });

  it('outlive a voice server that does not answer', async () => {
    const { anna, topicId } = await inRoom();
    const id = await world.record(topicId, anna);
    await until(() => status(id) === 'started');
    await fail('away', 'ListEgress', 3);
    for (let time = 0; time < 3; time += 1)
      expect(await world.lookAtRecording(id, topicId)).toMatchObject({ againAt: expect.any(String) });
    expect(status(id)).toBe('started');
  });

  it('are stopped again without an error, and shown in the room while they run', async () => {
    const { anna, topicId } = await inRoom();
    const id = await world.record(topicId, anna);
    await until(async () => (await world.roomAtServer(topicId)).metadata !== '');
    expect(JSON.parse((await world.roomAtServer(topicId)).metadata)).toEqual({ recording: true, recording_id: id });
    await expect(world.record(topicId, anna)).rejects.toMatchObject({ code: 'conflict' });
    expect(await stop(topicId, anna)).toBe(id);
    await until(() => status(id) === 'ended');
    expect(await stop(topicId, anna)).toBe(id);
    await until(async () => JSON.parse((await world.roomAtServer(topicId)).metadata).recording === false);
  });

  it('stop at the latest when they are too long', async () => {
    const { anna, topicId } = await inRoom();
    const id = await world.record(topicId, anna);
    await until(() => status(id) === 'started');
    await world.lookAtRecording(id, topicId, { endBy: new Date().toISOString() });
    await until(() => status(id) === 'ended');
  });
});

describe('a recording that the voice server does not make', () => {
  const look = (id: string, topicId: string, due: Parameters<VoiceWorld['lookAtRecording']>[2] = {}) =>
    world.lookAtRecording(id, topicId, due);
  const past = instantOf(0);
  const egress = (connected: boolean) => world.control('POST /sandbox/voice/egress', { connected });

  it('has failed at once where the server has no Egress, and the room is free', async () => {
    const { anna, topicId } = await inRoom();
    await egress(false);
    await expect(world.record(topicId, anna)).rejects.toMatchObject({
      code: 'voice_unavailable',
      message: expect.stringContaining('cannot record'),
    });
    expect(world.room(topicId)).toMatchObject({ recordingId: null, lastRecordingId: expect.any(String) });
    expect(status(world.room(topicId).lastRecordingId as string)).toBe('failed');
    await egress(true);
    await world.record(topicId, anna);
    await stop(topicId, anna);
  });

  it('has failed by the definite answer of whatever call tells it', async () => {
    const { anna, topicId } = await inRoom();
    await fail('away', 'StartRoomCompositeEgress');
    const id = await world.record(topicId, anna);
    expect(status(id)).toBe('requested');
    await egress(false);
    expect(await look(id, topicId)).toBeUndefined();
    expect(world.recording(id)).toMatchObject({ status: 'failed' });
    await egress(true);
  });

  it('has failed after two minutes of silence, and at once when it is stopped', async () => {
    for (const by of ['time', 'stop'] as const) {
      const { anna, topicId } = await inRoom();
      await fail('away', 'StartRoomCompositeEgress');
      const id = await world.record(topicId, anna);
      if (by === 'stop') await stop(topicId, anna);
      const { rows } = await stores.pool.query<{ data: { beginBy: string; endBy: string } }>(
        `select data from ops.jobs where kind = 'voice_recording' and id = $1`,
        [id],
      );
      const { beginBy = '', endBy = '' } = rows[0]?.data ?? {};
      if (by === 'stop') expect(endBy).toBe(beginBy);
      await fail('away', 'ListEgress', 9);
      if (by === 'time') expect(await look(id, topicId)).toMatchObject({ againAt: expect.any(String) });
      expect(status(id)).toBe('requested');
      expect(await look(id, topicId, { beginBy: past })).toBeUndefined();
      expect({ status: status(id), runs: world.room(topicId).recordingId }).toEqual({ status: 'failed', runs: null });
      await fail('away', 'none', 0);
    }
  });

  it('has failed when it never begins, and what began unseen is stopped', async () => {
    const { anna, topicId, room } = await inRoom();
    await world.control('POST /sandbox/voice/recordings', { outcome: 'stuck', room });
    const id = await world.record(topicId, anna);
    expect(await look(id, topicId)).toMatchObject({ againAt: expect.any(String) });
    expect(status(id)).toBe('requested');
    expect(JSON.parse((await world.roomAtServer(topicId)).metadata || '{}')).toEqual({});
    await look(id, topicId, { beginBy: past });
    expect(status(id)).toBe('failed');
    expect(await world.deps.voiceServer?.recordingsOf(topicId)).toMatchObject([{ phase: 'cut_off' }]);
  });

  it('is stopped at the voice server, too, if it began although nobody answered', async () => {
    const { anna, topicId } = await inRoom();
    await mode('lost');
    await fail('silent', 'StartRoomCompositeEgress');
    const id = await world.record(topicId, anna);
    await world.recorded(topicId);
    await fail('away', 'ListEgress', 1);
    await look(id, topicId, { beginBy: past });
    expect(status(id)).toBe('failed');
    const at = new Date().toISOString();
    const job = { id, data: { topicId, overAt: at }, attempt: 1 };
    await recordingFile.run(job, { deps: world.deps, context: contextOf('jobs', 'system', at) });
    await until(async () => !(await world.deps.voiceServer?.recordingsOf(topicId))?.some(isRunning));
  });

  it.each([
    ['EGRESS_FAILED', 'server_failed'],
    ['EGRESS_ABORTED', 'empty'],
    ['EGRESS_COMPLETE', 'empty'],
  ])('is known by its egress when a report of %s names no file', async (state, _failure) => {
    const { anna, topicId } = await inRoom();
    const id = await world.record(topicId, anna);
    await until(() => status(id) === 'started');
    const { egressId } = world.recording(id) as { egressId: string };
    await world.report({ event: 'egress_ended', egressInfo: { egressId, status: state } });
    expect({ status: status(id), runs: world.room(topicId).recordingId }).toEqual({ status: 'failed', runs: null });
  });

  it('is refused for an empty room, and for who is not in it', async () => {
    const anna = world.person();
    const topicId = world.topicOf(anna);
    await world.enter(topicId, anna);
    await expect(world.record(topicId, anna)).rejects.toMatchObject({ code: 'conflict' });
    const boris = world.person();
    await world.join((await world.enter(topicId, boris)).token);
    await expect(world.record(topicId, anna)).rejects.toMatchObject({ code: 'forbidden' });
    await world.join((await world.enter(topicId, anna)).token);
    expect(status(await world.record(topicId, anna))).toBe('requested');
  });

  it('ends with the topic', async () => {
    const { anna, topicId } = await inRoom();
    const id = await world.record(topicId, anna);
    await until(() => status(id) === 'started');
    const removed = { type: 'ForumTopicRemoved', data: { reason: 'Loud' } };
    world.given(`forumTopic-${topicId}`, removed);
    await world.react('forumTopic', topicId, removed);
    await until(() => status(id) === 'ended');
  });
});

describe('the file of a recording', () => {
  const recorded = async () => {
    const { anna, topicId } = await inRoom();
    await until(() => world.room(topicId).present.length === 1);
    const id = await world.record(topicId, anna);
    await until(() => status(id) === 'started');
    const event = { type: 'VoiceParticipantRecorded', data: { recordingId: id, accountId: anna } };
    expect(world.room(topicId).recorded).toEqual([anna]);
    await world.react('voiceRoom', topicId, event);
    return { anna, topicId, id };
  };
  const ended = async () => {
    const one = await recorded();
    await stop(one.topicId, one.anna);
    await until(() => status(one.id) === 'ended');
    expect(await world.hasFile(one.id)).toBe(true);
    return one;
  };
  const keep = (id: string, topicId: string, at: string, overAt = at) =>
    recordingFile.run(
      { id, data: { topicId, overAt }, attempt: 1 },
      { deps: world.deps, context: contextOf('jobs', 'system', at) },
    );
  const days = (count: number) => instantOf(Date.now() + count * DAY_MS);

  it('is deleted when its time is over', async () => {
    const { anna, topicId, id } = await ended();
    expect(await keep(id, topicId, days(29), days(0))).toMatchObject({ againAt: expect.any(String) });
    expect(await world.hasFile(id)).toBe(true);
    expect(await keep(id, topicId, days(31), days(0))).toBeUndefined();
    expect({ status: status(id), file: await world.hasFile(id) }).toEqual({ status: 'removed', file: false });
    expect(await recordingsWith(stores.pool, anna)).toEqual([]);
  });

  it('is deleted at the erasure of anybody who was in the room', async () => {
    const { anna, id } = await ended();
    expect(await recordingsWith(stores.pool, anna)).toEqual([id]);
    const erasing = contextOf('erasure', 'system');
    for (let time = 0; time < 2; time += 1) {
      await removeRecordingsOf(world.deps, erasing, anna);
      expect(await deleteErasedBytes(world.deps, erasing, anna)).toBe(0);
    }
    expect({ status: status(id), file: await world.hasFile(id) }).toEqual({ status: 'removed', file: false });
  });

  it('is removed while it is recorded: the recording stops, and what it leaves is deleted', async () => {
    const { anna, topicId, id } = await recorded();
    await mode('lost');
    await expect(
      removeRecording(world.deps, contextOf(anna), id, { accountId: world.person(), isModerator: false }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await removeRecording(world.deps, contextOf(anna), id, { accountId: anna, isModerator: false });
    expect({ status: status(id), runs: world.room(topicId).recordingId }).toEqual({ status: 'removed', runs: null });
    await until(async () => (await keep(id, topicId, days(0))) === undefined);
    expect(await world.hasFile(id)).toBe(false);
    // It fails when its file is deleted just while it is being stored.
    const over = [{ phase: expect.stringMatching(/^(complete|failed)$/) }];
    expect(await world.deps.voiceServer?.recordingsOf(topicId)).toMatchObject(over);
  });
});
