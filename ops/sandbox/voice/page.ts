/**
 * A page that joins a voice room: `GET /voice`. It signs in at the API, gets a token and connects with `livekit-client`, as an
 * app does. It needs a real LiveKit server: the sandbox transmits nothing.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type Router from '@koa/router';
import { html } from '../../../infra/html.ts';
import { contentSecurityPolicy, page } from '../core/page.ts';

const SCRIPT = String.raw`
const { Room, RoomEvent } = LivekitClient;
const part = (id) => document.getElementById(id);
const room = new Room();
let api;

const call = async (path, { token, body } = {}) => {
  const response = await fetch(api.base + path, {
    method: 'POST',
    headers: { ...(token && { authorization: 'Bearer ' + token }), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply = await response.json();
  if (!response.ok) throw new Error(reply.detail);
  return reply;
};

const show = () => {
  const people = [room.localParticipant, ...room.remoteParticipants.values()];
  part('people').replaceChildren(...people.map((one) => {
    const item = document.createElement('li');
    const doing = one.isSpeaking ? ' speaks' : one.permissions?.canPublish === false ? ' listens' : '';
    item.textContent = (one.name || one.identity) + doing;
    return item;
  }));
  const { recording } = JSON.parse(room.metadata || '{}');
  part('recorded').hidden = !recording;
  part('start').hidden = !api.canRecord || recording === true;
  part('stop').hidden = !api.canRecord || recording !== true;
  const mayTalk = room.localParticipant.permissions?.canPublish !== false;
  part('talk').disabled = !mayTalk;
  part('talk').textContent = room.localParticipant.isMicrophoneEnabled ? 'Mute' : mayTalk ? 'Talk' : 'You only listen';
};

/** Does something, says that it does, and what went wrong. */
const attempt = (doing, work) => async (event) => {
  event.preventDefault();
  const button = event.submitter ?? event.currentTarget;
  part('problem').textContent = '';
  part('doing').textContent = doing;
  button.disabled = true;
  try {
    part('doing').textContent = (await work()) ?? '';
  } catch (error) {
    part('doing').textContent = '';
    part('problem').textContent = error.message;
  }
  button.disabled = false;
  if (room.state === 'connected') show();
};

for (const event of ['ParticipantConnected', 'ParticipantDisconnected', 'ActiveSpeakersChanged', 'RoomMetadataChanged',
  'ParticipantPermissionsChanged', 'ParticipantNameChanged', 'LocalTrackPublished', 'LocalTrackUnpublished'])
  room.on(RoomEvent[event], show);
room.on(RoomEvent.TrackSubscribed, (track) => document.body.append(track.attach()));
room.on(RoomEvent.TrackUnsubscribed, (track) => track.detach().forEach((element) => element.remove()));
room.on(RoomEvent.Disconnected, () => {
  part('room').hidden = true;
  part('enter').hidden = false;
});

part('enter').addEventListener('submit', attempt('Joins the room…', async () => {
  const given = Object.fromEntries(new FormData(part('enter')));
  api = { base: given.api.replace(/\/$/, ''), voice: '/api/v1/forums/' + given.topic.trim() + '/voice' };
  const { identifier, password } = given;
  api.token = (await call('/auth/login', { body: { identifier, password } })).access_token;
  const entry = await call(api.voice + '/token', { token: api.token });
  api.canRecord = entry.can_record;
  if (new URL(entry.url).host === location.host)
    throw new Error('The sandbox lets you in, but transmits no sound. Set LIVEKIT_URL to a LiveKit server to talk.');
  await room.connect(entry.url, entry.token);
  part('enter').hidden = true;
  part('room').hidden = false;
  if (entry.can_publish) await room.localParticipant.setMicrophoneEnabled(true);
}));
part('talk').addEventListener('click', attempt('Switches the microphone…', async () => {
  await room.localParticipant.setMicrophoneEnabled(!room.localParticipant.isMicrophoneEnabled);
}));
for (const [action, said] of [['start', 'The recording starts: this page says so once it runs.'], ['stop', 'The recording ends.']])
  part(action).addEventListener('click', attempt('Asks for it…', async () => {
    await call(api.voice + '/recording/' + action, { token: api.token });
    return said;
  }));
part('leave').addEventListener('click', attempt('Leaves the room…', () => room.disconnect()));
`;

const body = (api: string) => html`<section class="sheet">
<h1>Voice room</h1>
<p class="quiet">Joins the room of a topic with <code>livekit-client</code>. It needs a real LiveKit server (<code>LIVEKIT_URL</code>).</p>
<p role="alert" id="problem"></p>
<p role="status" id="doing"></p>
<form id="enter">
<label>API<input name="api" value="${api}" required></label>
<label>E-mail or phone<input name="identifier" value="tourist@demo.test" required></label>
<label>Password<input name="password" type="password" required></label>
<label>Id of the topic<input name="topic" required></label>
<button>Join</button>
</form>
<div id="room" hidden>
<p class="status bad" id="recorded" hidden>This room is recorded</p>
<ul id="people"></ul>
<button id="talk">Talk</button>
<button class="second" id="start" hidden>Start recording</button>
<button class="second" id="stop" hidden>Stop recording</button>
<button class="second" id="leave">Leave</button>
</div>
<script src="/voice/livekit-client.js"></script>
<script src="/voice/page.js"></script>
</section>`;

/** Its own scripts, and connections to the API and the voice server, wherever they are. */
const POLICY = [
  contentSecurityPolicy(),
  "script-src 'self'",
  'connect-src http: https: ws: wss:',
  'media-src blob: mediastream:',
].join('; ');

/** @param api address of the API */
export const mountVoicePage = (router: Router, api: string): void => {
  router.get('/voice', (ctx) => {
    ctx.set('content-security-policy', POLICY);
    ctx.type = 'html';
    ctx.body = page('Voice room', body(api));
  });
  router.get('/voice/page.js', (ctx) => {
    ctx.type = 'js';
    ctx.body = SCRIPT;
  });
  router.get('/voice/livekit-client.js', async (ctx) => {
    ctx.type = 'js';
    // The package names its module for `import`; beside it is the script for pages.
    const entry = createRequire(import.meta.url).resolve('livekit-client');
    ctx.body = await readFile(entry.replace(/[^/]+$/, 'livekit-client.umd.js'));
  });
};
