/** Voice rooms over HTTP, with the voice server of the sandbox. */
import { setTimeout } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool, inTransaction } from '../../infra/postgres.ts';
import { lockModels } from '../../projections/engine/tableVersions.ts';
import { voiceRecordings } from '../../projections/voice/recordings.ts';
import { startCli } from '../kit/cli.ts';
import { caller, type Newcomer, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect } from '../realtime/stage.ts';

const { dataDir, demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const log = createLogger({ level: 'silent' });
const pool = createPool(runtime.databaseUrl, { max: 1, applicationName: 'spec', log });
const sandbox = caller(runtime.sandbox as string);
let [admin, topic] = ['', ''];
let [anna, boris, clara] = [{} as Newcomer, {} as Newcomer, {} as Newcomer];
const sockets: { close(): void }[] = [];
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await pool.end();
});
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  [anna, boris, clara] = await Promise.all([
    newTourist(call, admin, 'Anna'),
    newTourist(call, admin, 'Boris'),
    newTourist(call, admin, 'Clara'),
  ]);
  const category = { title: 'Voices', position: 901 };
  const { body } = await call('POST /api/v1/admin/forums/categories', { token: admin, body: category });
  const started = { category_id: body.id, title: 'Talk of the day', body: 'Join the room.' };
  const made = await call('POST /api/v1/forums/topics', { token: anna.token, headers: once(), body: started });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  topic = made.body.id;
});

const voice = (request: string, { token }: Newcomer) => {
  const [method, path] = request.split(' ');
  return call(`${method} /api/v1/forums/${topic}/voice${path}`, { token });
};

const play = (url: string, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(url);
  return fetch(`${runtime.api}${pathname}${search}`, { headers });
};
/** The read models of recordings do not change until the answer is there, or for half a second. */
const whileProjectorIsLate = async <T>(ask: () => Promise<T>): Promise<T> => {
  const { answer } = await inTransaction(pool, async (client) => {
    await lockModels(client, [voiceRecordings]);
    const asked = { answer: ask() }; // in an object, so that the transaction does not wait for it
    await Promise.race([asked.answer, setTimeout(500)]);
    return asked;
  });
  return answer;
};
const isMatch = (found: unknown, wanted: object): boolean =>
  Object.entries(wanted).every(([name, value]) => (found as Record<string, unknown>)[name] === value);

it('people talk in a room, and it is recorded', async () => {
  const entered = await voice('POST /token', boris);
  expect(entered, JSON.stringify(entered.body)).toMatchObject({ status: 200, body: { can_publish: true } });
  const { sub, name, video, nbf = 0, exp = 0 } = decodeJwt(entered.body.token);
  expect({ sub, name, seconds: exp - nbf }).toEqual({ sub: entered.body.identity, name: 'Boris O.', seconds: 60 });
  expect(video).toMatchObject({ room: `besedka-${topic}`, roomJoin: true, canPublish: true });
  expect(video).toMatchObject({ canPublishSources: ['microphone'] });
  expect(entered.body.can_record).toBe(true);

  const { body: joined } = await sandbox('POST /sandbox/voice/join', { body: { token: entered.body.token } });
  await until(async () => {
    const { body } = await voice('GET ', boris);
    return body.participants?.some((one: { account_id: string }) => one.account_id === boris.id);
  });

  const listening = connect(Number(new URL(runtime.api).port), anna.token);
  sockets.push(listening.socket);
  const subscribed = await listening.ask({ type: 'subscribe', channel: `topic_${topic}` });
  expect(subscribed).toMatchObject({ type: 'subscribed' });
  const recording = await voice('POST /recording/start', boris);
  expect(recording, JSON.stringify(recording.body)).toMatchObject({ status: 202, body: { recording_url: null } });
  expect(recording.body).toMatchObject({ status: 'starting', started_at: null });
  const { id } = recording.body;
  expect(await voice('POST /recording/start', anna)).toMatchObject({ status: 409, body: { recording_id: id } });
  const told = (type: string, data: object) =>
    until(() => listening.frames.find((one) => one.type === type && 'data' in one && isMatch(one.data, data)));
  await told('voice_recording.created', { id });
  await told('voice_room.updated', { recording_id: id, is_recording: true });
  const running = await until(async () => {
    const { body } = await voice('GET /recordings', anna);
    return body.data?.find((one: { id: string; status: string }) => one.id === id && one.status === 'recording');
  });
  expect(Date.parse(running.started_at)).toBeGreaterThanOrEqual(Date.parse(recording.body.requested_at));
  expect(await voice('POST /recording/stop', boris)).toMatchObject({ status: 202, body: { id } });
  const ended = await until(async () => {
    const { body } = await voice('GET /recordings', anna);
    return body.data?.find((one: { id: string; status: string }) => one.id === id && one.status === 'ended');
  });
  expect(ended).toMatchObject({ egress_id: expect.stringMatching(/^EG_/) });
  expect(ended.recording_duration_s).toBeGreaterThanOrEqual(1);
  expect(ended.recording_url).toContain(`/api/v1/forums/voice/recordings/${id}?expires=`);
  expect(await voice('POST /recording/stop', anna)).toMatchObject({ status: 202, body: { id } });
  const { body: afterwards } = await voice('GET ', boris);
  const { recording_url, recording_duration_s, egress_id } = ended;
  expect(afterwards).toMatchObject({ recording_url, recording_duration_s, egress_id });
  const played = await play(recording_url, { range: 'bytes=0-3' });
  expect({ status: played.status, type: played.headers.get('content-type'), body: await played.text() }).toEqual({
    status: 206,
    type: 'audio/ogg',
    body: 'OggS',
  });

  const recordings = `/forums/voice/recordings/${id}`;
  expect((await call(`DELETE ${recordings}`, { token: clara.token })).status).toBe(403);
  const report = { token: clara.token, body: { reason: 'They shout' } };
  const filed = await call(`POST ${recordings}/report`, report);
  expect(filed.status, JSON.stringify(filed.body)).toBe(201);
  expect((await call(`DELETE ${recordings}`, { token: anna.token })).status, 'without a reason').toBe(422);
  const removal = { token: anna.token, body: { reason: 'Too loud' } };
  expect((await call(`DELETE ${recordings}`, removal)).status).toBe(204);
  expect((await play(recording_url)).status).toBe(404);
  const listed = async (who: Newcomer) => (await voice('GET /recordings', who)).body.data[0];
  const gone = { id, status: 'removed', recording_url: null };
  expect(await listed(anna)).toMatchObject({ ...gone, removal_reason: null });
  expect(await listed(boris)).toMatchObject({ ...gone, removal_reason: 'Too loud' });
  const judged = await until(async () => {
    const { body } = await call('GET /api/v1/admin/voice-recording-reports?status=open&per_page=100', { token: admin });
    return body.data.find((one: { id: string }) => one.id === filed.body.id)?.content;
  });
  expect(judged).toMatchObject({ id, status: 'removed', removal_reason: 'Too loud' });
  expect((await play(judged.recording_url)).status).toBe(200);
  const appeal = { kind: 'voice_recording', subject_id: id, text: 'It was a song.' };
  expect((await call('POST /api/v1/appeals', { token: anna.token, body: appeal })).status).toBe(404);
  const { body: appealed } = await call('POST /api/v1/appeals', { token: boris.token, body: appeal });
  const accept = { token: admin, body: { action: 'accept', answer: 'A good one.' } };
  expect((await call(`POST /api/v1/admin/appeals/${appealed.id}/answer`, accept)).status).toBe(204);
  const back = await until(async () => {
    const one = await listed(anna);
    return one.status === 'ended' && one;
  });
  expect((await play(back.recording_url)).status).toBe(200);
  // Who has started it removes it while the report is open: it stays for those who judge only.
  expect((await call(`DELETE ${recordings}`, { token: boris.token })).status).toBe(204);
  expect((await play(back.recording_url)).status).toBe(404);
  expect((await play(judged.recording_url)).status).toBe(200);
  expect(await listed(boris)).toMatchObject({ ...gone, removal_reason: null });

  const { room, sid } = joined;
  await sandbox('POST /sandbox/voice/leave', { body: { room, sid } });
  await until(async () => (await voice('GET ', boris)).body.participants?.length === 0);
});

it('a recording goes with the account of anybody who was in the room', async () => {
  const dora = await newTourist(call, admin, 'Dora');
  const { body: entered } = await voice('POST /token', dora);
  const { body: joined } = await sandbox('POST /sandbox/voice/join', { body: { token: entered.token } });
  await until(async () => (await voice('GET ', anna)).body.participants?.length === 1);
  expect(await voice('POST /recording/start', anna)).toMatchObject({ status: 403 });
  const { body: annasEntry } = await voice('POST /token', anna);
  const { body: annasPlace } = await sandbox('POST /sandbox/voice/join', { body: { token: annasEntry.token } });
  const recording = await whileProjectorIsLate(() => voice('POST /recording/start', anna));
  expect(recording, JSON.stringify(recording.body)).toMatchObject({ status: 202, body: { topic_id: topic } });
  const shown = async () => (await voice('GET /recordings', anna)).body.data?.[0];
  await until(async () => (await shown())?.status === 'recording');
  await voice('POST /recording/stop', anna);
  const ended = await until(async () => {
    const one = await shown();
    return one?.status === 'ended' && one;
  });
  expect((await play(ended.recording_url)).status).toBe(200);

  const gone = await call('DELETE /api/v1/me', { token: dora.token });
  expect(gone.body, JSON.stringify(gone.body)).toMatchObject({ status: 'erased' });
  expect((await play(ended.recording_url)).status).toBe(404);
  await until(async () => (await shown())?.status === 'removed');
  const { body: certificate } = await call(`GET /api/v1/erasures/${gone.body.certificate_id}`);
  const recordings = { holder: 'sound recordings of voice rooms', outcome: 'deleted', count: 1 };
  expect(certificate.parts).toContainEqual(recordings);
  await sandbox('POST /sandbox/voice/leave', { body: { room: joined.room, sid: annasPlace.sid } });
});

it('a recording is for nobody once its topic was removed, and for all again when the topic is back', async () => {
  const { body: entered } = await voice('POST /token', anna);
  await sandbox('POST /sandbox/voice/join', { body: { token: entered.token } });
  const { body: started } = await voice('POST /recording/start', anna);
  const shown = async (token = anna.token) => {
    const { body } = await call(`GET /api/v1/forums/${topic}/voice/recordings`, { token });
    return body.data?.find((one: { id: string }) => one.id === started.id);
  };
  await until(async () => (await shown())?.status === 'recording');
  await voice('POST /recording/stop', anna);
  const { recording_url } = await until(async () => {
    const one = await shown();
    return one?.status === 'ended' && one;
  });
  const moderate = (what: string, body?: object) =>
    call(`POST /api/v1/admin/forums/topics/${topic}/${what}`, { token: admin, ...(body && { body }) });
  expect((await moderate('remove', { reason: 'Loud' })).status).toBeLessThan(300);
  await until(async () => (await play(recording_url)).status === 404);
  for (const token of [anna.token, admin]) expect(await shown(token)).toMatchObject({ recording_url: null });
  expect((await moderate('restore')).status).toBeLessThan(300);
  await until(async () => (await play(recording_url)).status === 200);
});

it('who signs out leaves the room, and their token does not let them in again', async () => {
  const eve = await newTourist(call, admin, 'Eve');
  const { body: entered } = await voice('POST /token', eve);
  const isThere = async () => {
    const { body: rooms } = await sandbox('GET /sandbox/voice/rooms');
    const room = rooms.find(({ name }: { name: string }) => name === `besedka-${topic}`);
    return room?.participants.some(({ identity }: { identity: string }) => identity === entered.identity) ?? false;
  };
  await sandbox('POST /sandbox/voice/join', { body: { token: entered.token } });
  await until(async () =>
    (await voice('GET ', anna)).body.participants?.some((one: { account_id: string }) => one.account_id === eve.id),
  );
  expect((await call('POST /auth/logout?scope=session', { token: eve.token })).status).toBeLessThan(300);
  await until(async () => !(await isThere()));
  await sandbox('POST /sandbox/voice/join', { body: { token: entered.token } });
  await until(async () => !(await isThere()));
});

it('every operation is there with and without /api/v1', async () => {
  for (const path of ['/voice', '/voice/recordings', '/voice/'])
    for (const prefix of ['', '/api/v1', '/api/v1/social'])
      expect((await call(`GET ${prefix}/forums/${topic}${path}`, { token: anna.token })).status).toBe(200);
  for (const operation of ['token', 'recording/start', 'recording/stop'])
    for (const prefix of ['', '/api/v1'])
      expect((await call(`POST ${prefix}/forums/${topic}/voice/${operation}`)).status, operation).toBe(401);
});

it('only the voice server can report', async () => {
  const forged = { body: { event: 'room_finished', id: 'EV_1' }, headers: { authorization: 'not a token' } };
  for (const path of ['/forums/voice/webhook', '/api/v1/forums/voice/webhook'])
    expect(await call(`POST ${path}`, forged)).toMatchObject({ status: 401, body: { code: 'not_signed' } });
  const large = { ...forged, body: { ...forged.body, padding: 'x'.repeat(65 * 1_024) } };
  expect((await call('POST /api/v1/forums/voice/webhook', large)).status).toBe(413);
});

const cli = startCli(dataDir);
it('the set-up of the voice server is proved step by step', async () => {
  const steps = await cli.run('voice', 'check', '--json');
  expect(steps).toHaveLength(8);
  for (const { step, ok, detail } of steps) expect({ step, ok, detail }).toEqual({ step, ok: true });
  const { body: review } = await call('GET /api/v1/admin/forums/voice/review', { token: admin });
  expect(review.data.filter(({ room }: { room: string }) => room.includes('check'))).toEqual([]);
});

it('a set-up without recordings passes as one, and says what it lacks otherwise', async () => {
  await sandbox('POST /sandbox/voice/egress', { body: { connected: false } });
  const without = await cli.run('voice', 'check', '--without-recordings', '--json');
  expect(without.map(({ ok }: { ok: boolean }) => ok)).toEqual(Array(6).fill(true));
  await expect(cli.run('voice', 'check', '--json')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/refused: egress not connected \(redis required\).*--without-recordings/),
  });
  await sandbox('POST /sandbox/voice/egress', { body: { connected: true } });
});

it('the page that joins a room comes with its scripts', async () => {
  for (const [path, text] of [
    ['/voice', 'livekit-client.js'],
    // The API of this system is filled in.
    ['/voice', `:${new URL(runtime.api).port}" required`],
    ['/voice/page.js', 'room.connect('],
    ['/voice/livekit-client.js', 'LivekitClient'],
  ] as const)
    expect(await sandbox(`GET ${path}`)).toMatchObject({ status: 200, body: expect.stringContaining(text) });
});

it('who is muted listens, who is banned stays out', async () => {
  const until_ = instantOf(Date.now() + HOUR_MS);
  const sanction = { account_id: boris.id, until: until_, reason: 'Loud' };
  const impose = (more: object) =>
    call('POST /api/v1/admin/forums/sanctions', { token: admin, body: { ...sanction, ...more } });
  expect((await impose({ topic_id: topic })).status).toBeLessThan(300);
  expect(await voice('POST /token', boris)).toMatchObject({ status: 200, body: { can_publish: false } });
  expect((await impose({})).status).toBeLessThan(300);
  expect(await voice('POST /token', boris)).toMatchObject({ status: 403 });
});
