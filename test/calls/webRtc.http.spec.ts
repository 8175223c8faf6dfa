/**
 * A call between two pages of real browsers: they negotiate through the hub, and then hear and read each other without it.
 * Both run on this machine, so that no TURN server is needed; `turn.stores.spec.ts` tries one.
 */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, findChromium, startBrowser } from '../kit/browser.ts';
import { caller, type Newcomer, newTourist, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const chromium = findChromium();

const FLAGS = [
  // Addresses instead of mDNS names, and the loopback for a machine without a network.
  '--disable-features=WebRtcHideLocalIpsWithMdns',
  '--allow-loopback-in-peer-connection',
  // A microphone that beeps, without a question.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

/**
 * What an app does: signals go out as they come up, and those of the other are applied in their order. Signals are sent at
 * most once, so that the offer is repeated until it is answered.
 */
const APP = `
import { channels, createClient } from '/client/index.js';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (condition) => { while (!condition()) await wait(20); };

window.join = async (me, callId, isCaller) => {
  const peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
  window.peer = peer;
  window.heard = [];
  window.chat = peer.createDataChannel('chat', { negotiated: true, id: 0 });
  chat.onmessage = ({ data }) => heard.push(data);
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  for (const track of stream.getTracks()) peer.addTrack(track, stream);
  let subscription;
  const send = async (type, data) => { while (!subscription.publish(type, data)) await wait(50); };
  peer.onicecandidate = ({ candidate }) => send('signal.ice', {
    candidate: candidate?.candidate ?? null,
    sdp_mid: candidate?.sdpMid ?? null,
    sdp_m_line_index: candidate?.sdpMLineIndex ?? null,
  });
  const early = [];
  const apply = {
    'signal.offer': async ({ sdp }) => {
      if (!peer.remoteDescription) {
        await peer.setRemoteDescription({ type: 'offer', sdp });
        await peer.setLocalDescription(await peer.createAnswer());
      }
      await send('signal.answer', { sdp: peer.localDescription.sdp });
    },
    'signal.answer': async ({ sdp }) => {
      if (peer.signalingState === 'have-local-offer') await peer.setRemoteDescription({ type: 'answer', sdp });
    },
    'signal.ice': async ({ candidate, sdp_mid, sdp_m_line_index }) => {
      if (!peer.remoteDescription) return void early.push({ candidate, sdp_mid, sdp_m_line_index });
      if (candidate) await peer.addIceCandidate({ candidate, sdpMid: sdp_mid, sdpMLineIndex: sdp_m_line_index });
    },
  };
  let applying = Promise.resolve();
  subscription = client.live.subscribe(channels.call(callId), {
    onChange: () => undefined,
    onEphemeral: ({ type, from, data }) => {
      if (from === me || !apply[type]) return;
      applying = applying.then(() => apply[type](data)).then(async () => {
        while (peer.remoteDescription && early.length > 0) await apply['signal.ice'](early.shift());
      });
    },
  });
  if (!isCaller) return;
  await peer.setLocalDescription(await peer.createOffer());
  while (!peer.remoteDescription) {
    await send('signal.offer', { sdp: peer.localDescription.sdp });
    await wait(500);
  }
};
/** Until both can talk. Answers how the two are connected. */
window.connected = async () => {
  await until(() => peer.connectionState === 'connected' && chat.readyState === 'open');
  const stats = [...(await peer.getStats()).values()];
  const { localCandidateId } = stats.find(({ type, nominated }) => type === 'candidate-pair' && nominated);
  return stats.find(({ id }) => id === localCandidateId).candidateType;
};
window.audioBytes = async () => {
  const stats = [...(await peer.getStats()).values()];
  return stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')?.bytesReceived ?? 0;
};
Object.assign(window, { createClient, until, wait });`;

describe.skipIf(!chromium)(
  `a call between two browsers${chromium ? '' : ' (skipped: Chromium is not installed)'}`,
  () => {
    let people: readonly [Newcomer, Newcomer];
    let pages: readonly [Browser, Browser];
    beforeAll(async () => {
      const admin = await signIn(call, demo, 'admin');
      people = [await newTourist(call, admin, 'Anna'), await newTourist(call, admin, 'Boris')];
      const open = () => startBrowser({ chromium: chromium ?? '', folder: DIST, imports: APP, flags: FLAGS });
      pages = await Promise.all([open(), open()]);
      for (const [n, page] of pages.entries()) {
        const { email: identifier, password } = people[n] as Newcomer;
        await page.run(`
        window.client = createClient({ baseUrl: '${runtime.api}' });
        await client.signIn(${JSON.stringify({ identifier, password })});`);
      }
    });
    afterAll(async () => {
      for (const page of pages ?? []) await page.stop();
    });

    it('is negotiated through the hub, carries sound and text between the two, and ends for both', async () => {
      const [anna, boris] = pages;
      const id: string = await anna.run(
        `return (await client.createCall({ callee_id: '${people[1].id}', kind: 'audio' })).id;`,
      );
      await boris.run(`await client.acceptCall({ id: '${id}' });`);
      const join = (n: 0 | 1, isCaller: boolean) =>
        pages[n].run(`await join('${people[n].id}', '${id}', ${isCaller});`);
      await join(1, false);
      await join(0, true);
      for (const page of pages) expect(['host', 'prflx']).toContain(await page.run('return connected();'));

      await anna.run(`chat.send('Hello, Boris');`);
      await boris.run(`chat.send('Hello, Anna');`);
      expect(await boris.run('await until(() => heard.length > 0); return heard;')).toEqual(['Hello, Boris']);
      expect(await anna.run('await until(() => heard.length > 0); return heard;')).toEqual(['Hello, Anna']);
      for (const page of pages) await page.run('while ((await audioBytes()) === 0) await wait(50);');

      expect(await boris.run(`return (await client.endCall({ id: '${id}' })).status;`)).toBe('ended');
    });
  },
);
