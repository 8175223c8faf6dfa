/** The voice server LiveKit. Rooms are `besedka-<topic id>`, devices `<account id>:<session id>`. */
import {
  AccessToken,
  EgressClient,
  type EgressInfo,
  EgressStatus,
  EncodedFileOutput,
  EncodedFileType,
  type ParticipantInfo,
  RoomServiceClient,
  TrackSource,
  type WebhookEvent,
  WebhookReceiver,
} from 'livekit-server-sdk';
import { instantOf } from '../../domain/core/instants.ts';
import type { EgressPhase } from '../../domain/voice/recording.ts';
import { deepestCause } from '../../infra/outsideFault.ts';
import { CallFailed, sendingHere } from './livekitCalls.ts';
import {
  type Device,
  ForgedVoiceEvent,
  type FoundEgress,
  TOKEN_S,
  type VoiceEvent,
  type VoiceServer,
  VoiceServerError,
} from './voiceServer.ts';

export interface LivekitSettings {
  /** `https://…` or `wss://…`. */
  readonly url: string;
  /** Where devices reach it, if not there. */
  readonly publicUrl?: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** How long an answer may take; 5 seconds by default. */
  readonly timeoutS?: number;
}

const NS = 1_000_000_000n;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ROOM = new RegExp(`^besedka-(${UUID})$`);
const IDENTITY = new RegExp(`^(${UUID}):(${UUID})$`);
const FILE = new RegExp(`(${UUID})\\.ogg$`);

export const roomOf = (topicId: string): string => `besedka-${topicId}`;
/** The name of a recording's file in the storage. */
export const recordingKey = (recordingId: string): string => `${recordingId}.ogg`;
/** A room of `voice check`: a topic has no such id. */
export const trialOf = (id: string): string => `check-${id}`;
/** With what the names of such rooms begin. */
export const TRIAL = roomOf(trialOf(''));
export const isTrial = (room: string): boolean => room.startsWith(TRIAL);
const topicOf = (room: string): string | null => ROOM.exec(room)?.[1] ?? null;

/** A person's device; undefined for others, such as the one that records. */
const deviceOf = ({ sid, identity, name, permission }: ParticipantInfo): Device | undefined => {
  const [, accountId, sessionId] = IDENTITY.exec(identity) ?? [];
  if (accountId === undefined || sessionId === undefined || sid === '') return undefined;
  const canTalk = permission?.canPublish ?? true;
  const sources = permission?.canPublishSources ?? [];
  // Without a list of sources, all are allowed.
  const canSendMore = canTalk && (sources.length === 0 || sources.some((source) => source !== TrackSource.MICROPHONE));
  return { connectionId: sid, accountId, sessionId, identity, name, canTalk, canSendMore };
};

const PHASES: Readonly<Record<EgressStatus, EgressPhase>> = {
  [EgressStatus.EGRESS_STARTING]: 'starting',
  [EgressStatus.EGRESS_ACTIVE]: 'recording',
  [EgressStatus.EGRESS_ENDING]: 'ending',
  [EgressStatus.EGRESS_COMPLETE]: 'complete',
  [EgressStatus.EGRESS_FAILED]: 'failed',
  [EgressStatus.EGRESS_ABORTED]: 'cut_off',
  // It was ended by a limit of the server: the file is there.
  [EgressStatus.EGRESS_LIMIT_REACHED]: 'complete',
};

const recordingOf = ({ request, fileResults }: EgressInfo): string | null => {
  const asked = request.case === 'roomComposite' ? request.value : undefined;
  const file = asked?.output.case === 'file' ? asked.output.value : asked?.fileOutputs[0];
  return FILE.exec(fileResults[0]?.filename || file?.filepath || '')?.[1] ?? null;
};

const egressOf = (info: EgressInfo): FoundEgress => {
  const file = info.fileResults[0];
  return {
    egressId: info.egressId,
    recordingId: recordingOf(info),
    phase: PHASES[info.status] ?? 'ending',
    // `startedAt` of the egress itself is when it was asked for.
    startedAt: file && file.startedAt > 0n ? instantOf(Number(file.startedAt / 1_000_000n)) : null,
    location: file?.location || file?.filename || null,
    durationS: Number(((file?.duration ?? 0n) + NS / 2n) / NS),
    sizeBytes: Number(file?.size ?? 0n),
  };
};

const eventOf = ({ id, event, room, participant, egressInfo }: WebhookEvent): VoiceEvent => {
  const name = room?.name ?? egressInfo?.roomName ?? '';
  const about = { id, name: event, room: name, topicId: topicOf(name) };
  if (egressInfo) return { ...about, type: 'egress', egress: egressOf(egressInfo) };
  const device = participant && deviceOf(participant);
  if (device && event === 'participant_joined') return { ...about, type: 'joined', device };
  if (device && (event === 'participant_left' || event === 'participant_connection_aborted'))
    return { ...about, type: 'left', device };
  return { ...about, type: event === 'room_started' ? 'opened' : 'other' };
};

/** A call to the server. @throws VoiceServerError */
export const asked = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallFailed)) throw new VoiceServerError('away', deepestCause(error), { cause: error });
    const { isRefused, isMissing, message } = error;
    throw new VoiceServerError(isRefused ? 'refused' : 'away', message, { cause: error, isMissing });
  }
};

/** What the room or egress does not have is no error. */
const unlessGone = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CallFailed && error.isMissing) return otherwise;
    throw error;
  }
};

/** The clients of the server's API. */
export const livekitClients = ({ url, apiKey, apiSecret, timeoutS = 5 }: LivekitSettings) => {
  const api = url.replace(/^ws/, 'http');
  return {
    api,
    rooms: sendingHere('RoomService', new RoomServiceClient(api, apiKey, apiSecret), api, timeoutS),
    egress: sendingHere('Egress', new EgressClient(api, apiKey, apiSecret), api, timeoutS),
  };
};

/** What a device may do, in its token or while it is in the room. */
const permissions = (canPublish: boolean) => ({
  canPublish,
  canPublishSources: [TrackSource.MICROPHONE],
  canPublishData: canPublish,
  canSubscribe: true,
});

export const livekit = (settings: LivekitSettings): VoiceServer => {
  const { url, publicUrl = url, apiKey, apiSecret } = settings;
  const { rooms, egress } = livekitClients(settings);
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  return {
    url: publicUrl.replace(/^http/, 'ws').replace(/\/$/, ''),
    // Whoever moderates does so here: the voice server cannot take back what a token says.
    token: (topicId, { identity, name, canTalk }) => {
      const token = new AccessToken(apiKey, apiSecret, { identity, name, ttl: TOKEN_S });
      token.addGrant({ roomJoin: true, room: roomOf(topicId), ...permissions(canTalk) });
      return token.toJwt();
    },
    devices: (topicId) =>
      asked(async () => {
        const found = await unlessGone(() => rooms.listParticipants(roomOf(topicId)), []);
        return found.flatMap((one) => deviceOf(one) ?? []);
      }),
    remove: (topicId, identity) =>
      asked(() => unlessGone(() => rooms.removeParticipant(roomOf(topicId), identity), undefined)),
    setRights: (topicId, identity, { name, canTalk }) =>
      asked(async () => {
        const changes = { name, permission: permissions(canTalk) };
        await unlessGone<unknown>(() => rooms.updateParticipant(roomOf(topicId), identity, changes), undefined);
      }),
    showRecording: (topicId, recordingId) =>
      asked(async () => {
        const metadata = JSON.stringify({ recording: recordingId !== null, recording_id: recordingId });
        const [room] = await rooms.listRooms([roomOf(topicId)]);
        if (!room || room.metadata === metadata || (recordingId === null && room.metadata === '')) return;
        await unlessGone<unknown>(() => rooms.updateRoomMetadata(roomOf(topicId), metadata), undefined);
      }),
    startRecording: (topicId, recordingId) =>
      asked(async () => {
        const file = new EncodedFileOutput({ fileType: EncodedFileType.OGG, filepath: recordingKey(recordingId) });
        const info = await egress.startRoomCompositeEgress(roomOf(topicId), { file }, { audioOnly: true });
        return { ...egressOf(info), recordingId };
      }),
    recordingsOf: (topicId) =>
      asked(async () => (await egress.listEgress({ roomName: roomOf(topicId) })).map(egressOf)),
    stopRecording: async (egressId) => {
      try {
        await asked(() => egress.stopEgress(egressId));
      } catch (error) {
        // It has ended, or is not known: the next look says how.
        if (!(error instanceof VoiceServerError && error.cause instanceof CallFailed && error.cause.isOver))
          throw error;
      }
    },
    readEvent: async (rawBody, authorization) => {
      try {
        return eventOf(await receiver.receive(rawBody, authorization));
      } catch (error) {
        throw new ForgedVoiceEvent('the voice server did not sign this', { cause: error });
      }
    },
  };
};
