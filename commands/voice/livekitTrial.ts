/** Whether the voice server lets us and our devices in. */
import { randomUUID } from 'node:crypto';
import { type Answer, exchange } from '../../infra/outside/exchange.ts';
import { deepestCause, OutsideFault } from '../../infra/outsideFault.ts';
import { asked, type LivekitSettings, livekit, livekitClients } from './livekit.ts';
import { CallFailed, clockAheadS } from './livekitCalls.ts';
import { VoiceServerError } from './voiceServer.ts';

const TIMEOUT_MS = 5_000;
/** Clocks that differ by more than this are named as a cause, in seconds. */
const CLOCK_S = 10;

/** What is wrong with the clocks; undefined while they agree. */
const clockFault = (aheadS: number | null): string | undefined =>
  aheadS === null || Math.abs(aheadS) <= CLOCK_S
    ? undefined
    : `its clock is ${Math.abs(aheadS)} s ${aheadS > 0 ? 'ahead of' : 'behind'} the one here, so that tokens and reports are refused: set both by NTP`;

/** @throws OutsideFault without a token: addresses can have one */
const got = async (address: URL): Promise<Answer> => {
  try {
    return await exchange(address, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    throw new OutsideFault(deepestCause(error), { cause: error });
  }
};

/** Whether its clock agrees with ours. Without an answer that says its time, it does. @throws OutsideFault */
export const agreeOnTime = async (settings: LivekitSettings): Promise<void> => {
  const fault = clockFault(clockAheadS(await got(new URL('/', livekitClients(settings).api))));
  if (fault !== undefined) throw new OutsideFault(fault);
};

/** Why our key or our token is not accepted. */
const refusal = (status: number, aheadS: number | null): string =>
  clockFault(aheadS) ?? `our key is answered with ${status}: check LIVEKIT_API_KEY and LIVEKIT_API_SECRET`;

/** Whether a token that we make is good for the server, as its clients ask it. @throws OutsideFault */
export const letIn = async (settings: LivekitSettings, room: string): Promise<void> => {
  const device = { identity: `${randomUUID()}:check`, name: 'check', canTalk: false };
  const token = await livekit(settings).token(room, device);
  const address = new URL('/rtc/validate', livekitClients(settings).api);
  address.searchParams.set('access_token', token);
  const answer = await got(address);
  const { status, body } = answer;
  if (status === 200 && body.toString() === 'success') return;
  if (status === 401 || status === 403) throw new OutsideFault(refusal(status, clockAheadS(answer)));
  throw new OutsideFault(
    status === 200 ? 'something else than the voice server answers there' : `it answers our token with ${status}`,
  );
};

/** What is wrong with the voice server, and what to do. Never a token or what the server wrote about one. */
export const whatIsWrong = (error: unknown): string => {
  if (!(error instanceof VoiceServerError)) return error instanceof OutsideFault ? error.message : deepestCause(error);
  const { cause, message } = error;
  if (!(cause instanceof CallFailed)) return `no answer: ${message}. Check LIVEKIT_URL and the network`;
  if (cause.isOfKey) return `refused: ${refusal(cause.status, cause.clockAheadS)}`;
  return error.kind === 'refused'
    ? `refused: ${message}`
    : `no good answer: ${message}. Check whether LIVEKIT_URL is the address of LiveKit itself, and its log`;
};

/** Asks it with our key, and with a token of a device. @throws what is wrong */
export const tryLivekit = async (settings: LivekitSettings): Promise<void> => {
  await asked(() => livekitClients(settings).rooms.listRooms());
  await letIn(settings, randomUUID());
};
