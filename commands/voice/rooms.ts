/** Voice rooms: who is let in, and who is in them. */
import { shortName } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMs, isBefore, MINUTE_MS } from '../../domain/core/instants.ts';
import { voiceRecording } from '../../domain/voice/recording.ts';
import { voiceRoom } from '../../domain/voice/room.ts';
import { loadAccount } from '../accounts/accounts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob, jobIds } from '../core/jobs.ts';
import type { Writer } from '../forums/deps.ts';
import type { VoiceDeps } from './deps.ts';
import { holdToRights, rightToTalk } from './rights.ts';
import { RENEWED_TOKEN_S, TOKEN_S, type VoiceServer, VoiceServerError } from './voiceServer.ts';

/** Who is in a room is compared with the voice server's list once in this many milliseconds. */
const LOOK_MS = MINUTE_MS;
/** Whoever has a token, or was in the room before, has joined by then. */
const LET_IN_MS = RENEWED_TOKEN_S * 1_000 + LOOK_MS;
/** After a crash of the voice server, people come back within this time. */
const BACK_MS = 2_000;

/** @throws Rejected `voice_unavailable` where there is none */
export const voiceServerOf = ({ voiceServer }: Pick<VoiceDeps, 'voiceServer'>): VoiceServer => {
  if (!voiceServer)
    throw new Rejected('voice_unavailable', 'There are no voice rooms here: no voice server is set up.');
  return voiceServer;
};

/**
 * Lets a person's device into the room of a topic. Muted people, and all but moderators in a locked topic, only listen.
 * @throws Rejected `not_found`, `forbidden` for people who are banned and for a removed topic, `voice_unavailable`
 */
export const enterRoom = async (
  deps: VoiceDeps,
  context: CommandContext,
  topicId: string,
  { sessionId, ...who }: Writer & { readonly sessionId: string },
) => {
  const server = voiceServerOf(deps);
  const { canTalk, topic } = await rightToTalk(deps, context, topicId, who);
  const { accountId, isModerator } = who;
  const name = shortName(await loadAccount(deps, accountId));
  // Each device has a name of its own: the second one does not throw out the first.
  const access = { identity: `${accountId}:${sessionId}`, name, canTalk };
  const { state } = await deps.aggregates.handle(voiceRoom, topicId, { type: 'OpenRoom', by: accountId }, context);
  await lookSoon(deps, context, topicId);
  const token = await server.token(topicId, access);
  const canRecord = isModerator || topic.authorId === accountId || state.openedBy === accountId;
  return { ...access, canRecord, token, url: server.url, expiresAt: addMs(context.at, TOKEN_S * 1_000) };
};

/** From now on compares who is in a room with the voice server's list, until it is empty. */
export const lookSoon = (deps: VoiceDeps, context: CommandContext, topicId: string): Promise<void> => {
  const data = { openUntil: addMs(context.at, LET_IN_MS) };
  return roomLook.scheduleOnce(deps.jobs, context, { id: topicId, dueAt: addMs(context.at, LOOK_MS), data });
};

/** The voice server has opened a room: for the first time, or anew after a crash, which is not reported otherwise. */
export const lookAtOpened = (deps: VoiceDeps, context: CommandContext, topicId: string): Promise<void> => {
  const data = { openUntil: addMs(context.at, LET_IN_MS) };
  return roomLook.schedule(deps.jobs, context, { id: topicId, dueAt: addMs(context.at, BACK_MS), data });
};

/** Looks now at every room in which a person is. A report that is on its way checks them, too. */
export const lookWherePersonIs = async (deps: VoiceDeps, accountId: string): Promise<void> => {
  for (const topicId of await jobIds(deps.pool, roomLook.kind)) {
    const { present } = (await deps.aggregates.load(voiceRoom, topicId)).state;
    if (present.some((one) => one.accountId === accountId)) await roomLook.runNow(deps.jobs, topicId);
  }
};

/** The recording that runs in a room, once something is recorded. */
const recordedNow = async ({ aggregates }: VoiceDeps, recordingId: string | null): Promise<string | null> => {
  if (recordingId === null) return null;
  return (await aggregates.load(voiceRecording, recordingId)).state.status === 'started' ? recordingId : null;
};

/**
 * Reports of who comes and goes can be lost, and rights change: asks who is there, and corrects what we show, who may be
 * there and talk, and whether the room says that it is recorded. Its id is the topic's.
 */
export const roomLook = defineJob<{ readonly openUntil: string }, VoiceDeps>(
  'voice_room',
  async ({ id: topicId, data: { openUntil } }, { deps, context }) => {
    let againAt = addMs(context.at, LOOK_MS);
    const { voiceServer } = deps;
    try {
      const devices = voiceServer ? await voiceServer.devices(topicId) : [];
      const command = { type: 'ApplyConnections', connections: devices } as const;
      const { state } = await deps.aggregates.handle(voiceRoom, topicId, command, context);
      if (devices.length > 0 && voiceServer) {
        for (const device of devices) {
          const until = await holdToRights({ ...deps, voiceServer }, context, topicId, device);
          if (until !== undefined && isBefore(until, againAt)) againAt = until;
        }
        await voiceServer.showRecording(topicId, await recordedNow(deps, state.recordingId));
        return { againAt };
      }
      if (voiceServer && isBefore(context.at, openUntil)) return { againAt };
      await deps.aggregates.handle(voiceRoom, topicId, { type: 'CloseRoom' }, followUp(context, 'close'));
      return undefined;
    } catch (error) {
      // However long it does not answer: rooms are looked at again once it does.
      if (!(error instanceof VoiceServerError)) throw error;
      deps.log.warn({ err: error, topic: topicId }, 'the voice server does not say who is in a room');
      return { againAt };
    }
  },
);
