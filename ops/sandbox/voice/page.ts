/**
 * A page that joins a voice room: `GET /voice`. It signs in at the API, gets a token and connects with `livekit-client`, as an
 * app does. It needs a real LiveKit server: the sandbox transmits nothing.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type Router from '@koa/router';
import { contentSecurityPolicy, html, page } from '../core/html.ts';

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
  const mayTalk = room.localParticipant.permissions?.canPublish !== false;
  part('talk').disabled = !mayTalk;
  part('talk').textContent = room.localParticipant.isMicrophoneEnabled ? 'Mute' : mayTalk ? 'Talk' : 'You only listen';
};

/** Does something, and says what went wrong. */
const attempt = (work) => async (event) => {
  event?.preventDefault();
  part('problem').textContent = '';
  try {
    await work();
  } catch (error) {
    part('problem').textContent = error.message;
  }
  if (room.state === 'connected') show();
};

for (const event of ['ParticipantConnected', 'ParticipantDisconnected', 'ActiveSpeakersChanged', 'RoomMetadataChanged',
  'ParticipantPermissionsChanged', 'LocalTrackPublished', 'LocalTrackUnpublished'])
  room.on(RoomEvent[event], show);
room.on(RoomEvent.TrackSubscribed, (track) => document.body.append(track.attach()));
room.on(RoomEvent.TrackUnsubscribed, (track) => track.detach().forEach((element) => element.remove()));
room.on(RoomEvent.Disconnected, () => {
  part('room').hidden = true;
  part('enter').hidden = false;
});

part('enter').addEventListener('submit', attempt(async () => {
  const given = Object.fromEntries(new FormData(part('enter')));
  api = { base: given.api.replace(/\/$/, ''), voice: '/api/v1/forums/' + given.topic.trim() + '/voice' };
  const { identifier, password } = given;
  api.token = (await call('/auth/login', { body: { identifier, password } })).access_token;
  const entry = await call(api.voice + '/token', { token: api.token });
  await room.connect(entry.url, entry.token);
  part('enter').hidden = true;
  part('room').hidden = false;
  if (entry.can_publish) await room.localParticipant.setMicrophoneEnabled(true);
}));
part('talk').addEventListener('click', attempt(() =>
  room.localParticipant.setMicrophoneEnabled(!room.localParticipant.isMicrophoneEnabled)));
for (const action of ['start', 'stop'])
  part(action).addEventListener('click', attempt(() => call(api.voice + '/recording/' + action, { token: api.token })));
part('leave').addEventListener('click', attempt(() => room.disconnect()));
`;

const BODY = html`<section class="sheet">
<h1>Voice room</h1>
<p class="quiet">Joins the room of a topic with <code>livekit-client</code>. It needs a real LiveKit server (<code>LIVEKIT_URL</code>).</p>
<p role="alert" id="problem"></p>
<form id="enter">
<label>API<input name="api" value="http://localhost:8080" required></label>
<label>E-mail or phone<input name="identifier" value="tourist@demo.test" required></label>
<label>Password<input name="password" type="password" required></label>
<label>Id of the topic<input name="topic" required></label>
<button>Join</button>
</form>
<div id="room" hidden>
<p class="status bad" id="recorded" hidden>This room is recorded</p>
<ul id="people"></ul>
<button id="talk">Talk</button>
<button class="second" id="start">Start recording</button>
<button class="second" id="stop">Stop recording</button>
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

export const mountVoicePage = (router: Router): void => {
  router.get('/voice', (ctx) => {
    ctx.set('content-security-policy', POLICY);
    ctx.type = 'html';
    ctx.body = page('Voice room', BODY);
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
