/** Whether the voice server lets us and our devices in. */
import { randomUUID } from 'node:crypto';
import { exchange } from '../../infra/outside/exchange.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import { asked, type LivekitSettings, livekit, livekitClients } from './livekit.ts';

const TIMEOUT_MS = 5_000;

/** Whether a token that we make is good for the server, as its clients ask it. @throws OutsideFault */
export const letIn = async (settings: LivekitSettings, topicId: string): Promise<void> => {
  const device = { identity: `${randomUUID()}:check`, name: 'check', canPublish: false, isModerator: false };
  const token = await livekit(settings).token(topicId, device);
  const address = new URL('/rtc/validate', livekitClients(settings).api);
  address.searchParams.set('access_token', token);
  const { status, body } = await exchange(address, { timeoutMs: TIMEOUT_MS });
  if (status === 200 && body.toString() !== 'success')
    throw new OutsideFault('something else than the voice server answers there');
  if (status !== 200) throw new OutsideFault(`it answers our token with ${status}: compare its clock with this one`);
};

/** Asks it with our key, and with a token of a device. @throws what is wrong */
export const tryLivekit = async (settings: LivekitSettings): Promise<void> => {
  await asked(() => livekitClients(settings).rooms.listRooms());
  await letIn(settings, randomUUID());
};
