/** Voice rooms over the wire: the commands of this module, the SDK of LiveKit, and the sandbox, which reports back. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { AccessToken } from 'livekit-server-sdk';
import type { PolicyHandler } from '../../commands/core/policy.ts';
import { createDiskStore } from '../../commands/files/diskStore.ts';
import { livekit } from '../../commands/voice/livekit.ts';
import { voicePolicy } from '../../commands/voice/policy.ts';
import { recordingLook } from '../../commands/voice/recordingLook.ts';
import { startRecording } from '../../commands/voice/recordings.ts';
import { enterRoom, roomLook } from '../../commands/voice/rooms.ts';
import { receiveVoiceEvent } from '../../commands/voice/webhook.ts';
import { type AnyEvent, streamName } from '../../domain/core/decider.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { voiceRecording } from '../../domain/voice/recording.ts';
import { voiceRoom } from '../../domain/voice/room.ts';
import { newId } from '../../infra/ids.ts';
import { startSandbox } from '../../ops/sandbox/server.ts';
import { contextOf } from '../kit/context.ts';
import { testDeps } from '../kit/deps.ts';
import { caller } from '../kit/http.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened } from '../kit/projected.ts';
import type { Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

export const KEYS = { apiKey: 'sandbox', apiSecret: 'not-a-secret-of-the-tests-that-is-long-enough' };
const PERSON = { email: null, phone: null, firstName: 'Anna', lastName: 'Orlova', language: 'en', passwordHash: null };

/** Where webhooks arrive. `answered` counts them by status. */
const startReceiver = async (receive: (rawBody: string, authorization: string | undefined) => Promise<void>) => {
  let onBody = receive;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      await onBody(body, request.headers.authorization).then(
        () => response.writeHead(204),
        () => response.writeHead(500),
      );
      response.end();
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    receiveWith: (next: typeof receive) => {
      onBody = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};

/** @param startingMs how long it takes until something is recorded */
export const startVoiceWorld = async (stores: Stores, { timeoutS = 5, startingMs = 0 } = {}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'voice-'));
  const fileStore = createDiskStore(folder);
  const receiver = await startReceiver(async () => undefined);
  const voice = { ...KEYS, webhookUrl: receiver.url, storage: fileStore, startingMs };
  const { log } = stores;
  const sandbox = await startSandbox({ port: 0, webhookUrl: receiver.url, webhookSecret: 'none', log, voice });
  const aggregates = memoryAggregates();
  const voiceServer = livekit({ url: sandbox.address, ...KEYS, timeoutS });
  const deps = testDeps(stores, { aggregates, fileStore, voiceServer, settings: { voiceRecordingDays: 30 } });
  const receive = (rawBody: string, authorization: string | undefined) =>
    receiveVoiceEvent(deps, contextOf('sandbox', 'system'), { rawBody, authorization }, async () => undefined);
  receiver.receiveWith(receive);
  const person = (role = 'tourist'): string => {
    const id = newId();
    aggregates.given(streamName('account', id), [{ type: 'AccountOpened', data: { ...PERSON, role } }]);
    return id;
  };
  const topicOf = (authorId: string): string => {
    const id = newId();
    const started = { authorId, categoryId: newId(), title: 'Talk of the day' };
    aggregates.given(streamName('forumTopic', id), [{ type: 'ForumTopicStarted', data: started }]);
    return id;
  };
  /** Somebody signs in. @returns the id of the session */
  const signIn = async (accountId: string, tokenVersion = 0): Promise<string> => {
    const id = newId();
    await stores.pool.query(
      `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
       values ($1, $2, $3, now(), now() + interval '1 day')`,
      [id, accountId, tokenVersion],
    );
    return id;
  };
  const call = caller(sandbox.address);
  const control = async (request: string, body?: object) => (await call(request, body && { body })).body;

  return {
    deps,
    aggregates,
    control,
    person,
    topicOf,
    given: (stream: string, event: AnyEvent) => aggregates.given(stream, [event]),
    signIn,
    enter: async (topicId: string, accountId: string, session?: string) => {
      const sessionId = session ?? (await signIn(accountId));
      return enterRoom(deps, contextOf(accountId), topicId, { accountId, isModerator: false, sessionId });
    },
    join: (token: string) => call('POST /sandbox/voice/join', { body: { token } }),
    record: (topicId: string, accountId: string) =>
      startRecording(deps, contextOf(accountId), topicId, { accountId, isModerator: false }),
    /** Waits until the voice server really records. */
    recorded: (topicId: string) =>
      until(async () => (await voiceServer.recordingsOf(topicId)).some(({ phase }) => phase === 'recording')),
    /** A report of the voice server, as it signs it. */
    report: async (event: object) => {
      const body = JSON.stringify({ id: newId(), createdAt: String(Math.floor(Date.now() / 1_000)), ...event });
      const token = new AccessToken(KEYS.apiKey, KEYS.apiSecret, { ttl: 300 });
      token.sha256 = createHash('sha256').update(body).digest('base64');
      await receive(body, await token.toJwt());
    },
    roomAtServer: async (topicId: string) =>
      (await control('GET /sandbox/voice/rooms')).find(({ name }: { name: string }) => name === `besedka-${topicId}`),
    room: (topicId: string) => aggregates.stateOf(voiceRoom, topicId),
    recording: (id: string) => aggregates.stateOf(voiceRecording, id),
    /** What the job of a room does at a time. */
    look: (topicId: string, at = new Date().toISOString()) => {
      const data = { openUntil: at };
      return roomLook.run({ id: topicId, data, attempt: 1 }, { deps, context: contextOf('jobs', 'system', at) });
    },
    lookAtRecording: (id: string, topicId: string, due: Partial<{ beginBy: string; endBy: string }> = {}) => {
      const later = instantOf(Date.now() + HOUR_MS);
      const data = { topicId, beginBy: later, endBy: later, ...due };
      return recordingLook.run({ id, data, attempt: 1 }, { deps, context: contextOf('jobs', 'system') });
    },
    /** What the policy does about an event. */
    react: async (category: string, id: string, event: AnyEvent) => {
      const handler = voicePolicy.handlers.get(event.type) as PolicyHandler<unknown, typeof deps> | undefined;
      const seen = happened(category, id, event as never, new Date().toISOString());
      await handler?.(seen, { deps, context: contextOf('policy', 'system') });
    },
    hasFile: (recordingId: string): Promise<boolean> =>
      stat(path.join(folder, recordingId.slice(-2), `${recordingId}.ogg`)).then(
        () => true,
        () => false,
      ),
    stop: async () => {
      await sandbox.stop();
      await receiver.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
export type VoiceWorld = Awaited<ReturnType<typeof startVoiceWorld>>;

/** A room in which its author is. */
export const enteredRoom = async (world: VoiceWorld) => {
  const anna = world.person();
  const topicId = world.topicOf(anna);
  const { token, identity } = await world.enter(topicId, anna);
  const { body } = await world.join(token);
  return { anna, topicId, token, identity, room: body.room as string, sid: body.sid as string };
};
