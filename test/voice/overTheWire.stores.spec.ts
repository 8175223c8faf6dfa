/** Voice rooms against the voice server of the sandbox, over the wire: signed reports that are doubled, reversed and lost. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordingFile, removeRecording, removeRecordingsOf } from '../../commands/voice/recordingRemovals.ts';
import { stopRecording } from '../../commands/voice/recordings.ts';
import { recordingsWith } from '../../commands/voice/voices.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { contextOf } from '../kit/context.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';
import { deleteErasedBytes } from '../kit/toldOutside.ts';
import { until } from '../kit/until.ts';
import { enteredRoom, startVoiceWorld, type VoiceWorld } from './voiceWorld.ts';

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
const stop = (topicId: string, accountId: string) =>
  stopRecording(world.deps, contextOf(accountId), topicId, { accountId, isModerator: false });

const inRoom = () => enteredRoom(world);
const status = (id: string) => world.recording(id).status;

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
    for (const step of [...steps, end]) {
      if (step === 'stop') await stop(topicId, anna);
      if (step === 'leave') await world.control('POST /sandbox/voice/leave', { room, sid });
      if (step === 'look') await world.lookAtRecording(id, topicId);
      if (step === 'look at room') await world.look(topicId);
    }
    await until(async () => (await world.lookAtRecording(id, topicId)) === undefined);
    return id;
  };

  it('200 random histories of reports end in the right recordings', async () => {
    const right = { complete: 'ended', failed: 'failed', aborted: 'failed', empty: 'failed', forgotten: 'failed' };
    const ids: string[] = [];
    const histories = fc.sample(Histories, { numRuns: 200 });
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
    expect(new Set(ids).size).toBe(200);
    await mode('once');
  });

  it('a start that is not answered is looked up before it is tried again', async () => {
    const { anna, topicId, room } = await inRoom();
    await mode('lost');
    await fail('silent', 'StartRoomCompositeEgress');
    const id = await world.record(topicId, anna);
    expect(status(id)).toBe('requested');
    expect(await world.lookAtRecording(id, topicId)).toMatchObject({ againAt: expect.any(String) });
    expect(status(id)).toBe('started');
    const started = await world.deps.voiceServer?.recordingsOf(topicId);
    expect(started).toMatchObject([{ recordingId: id, phase: 'running' }]);
    expect((await world.roomAtServer(topicId))?.metadata).toContain(id);
    await world.control('POST /sandbox/voice/recordings', { outcome: 'complete', room });
  });

  it('a start that was not executed is tried again', async () => {
    const { anna, topicId } = await inRoom();
    await fail('away', 'StartRoomCompositeEgress');
    const id = await world.record(topicId, anna);
    expect(status(id)).toBe('requested');
    await world.lookAtRecording(id, topicId);
    expect(status(id)).toBe('started');
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
    await fail('away', 'ListEgress', 3);
    for (let time = 0; time < 3; time += 1)
      expect(await world.lookAtRecording(id, topicId)).toMatchObject({ againAt: expect.any(String) });
    expect(status(id)).toBe('started');
  });

  it('are stopped again without an error, and shown in the room while they run', async () => {
    const { anna, topicId } = await inRoom();
    const id = await world.record(topicId, anna);
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
    await world.lookAtRecording(id, topicId, { endBy: new Date().toISOString() });
    await until(() => status(id) === 'ended');
  });
});

describe('the file of a recording', () => {
  const recorded = async () => {
    const { anna, topicId } = await inRoom();
    await until(() => world.room(topicId).present.length === 1);
    const id = await world.record(topicId, anna);
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
