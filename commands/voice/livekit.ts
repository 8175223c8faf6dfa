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
  type WebhookEvent,
  WebhookReceiver,
} from 'livekit-server-sdk';
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
const IDENTITY = new RegExp(`^(${UUID}):`);
const FILE = new RegExp(`(${UUID})\\.ogg$`);

export const roomOf = (topicId: string): string => `besedka-${topicId}`;
/** The name of a recording's file in the storage. */
export const recordingKey = (recordingId: string): string => `${recordingId}.ogg`;
const topicOf = (room: string): string | null => ROOM.exec(room)?.[1] ?? null;

/** A person's device; undefined for others, such as the one that records. */
const deviceOf = ({ sid, identity, permission }: ParticipantInfo): Device | undefined => {
  const accountId = IDENTITY.exec(identity)?.[1];
  if (accountId === undefined || sid === '') return undefined;
  return { connectionId: sid, accountId, identity, canTalk: permission?.canPublish ?? true };
};

const PHASES: Readonly<Record<EgressStatus, EgressPhase>> = {
  [EgressStatus.EGRESS_STARTING]: 'running',
  [EgressStatus.EGRESS_ACTIVE]: 'running',
  [EgressStatus.EGRESS_ENDING]: 'running',
  [EgressStatus.EGRESS_COMPLETE]: 'complete',
  [EgressStatus.EGRESS_FAILED]: 'failed',
  [EgressStatus.EGRESS_ABORTED]: 'cut_off',
  // It was ended by a limit of the server: the file is there.
  [EgressStatus.EGRESS_LIMIT_REACHED]: 'complete',
};

const recordingOf = ({ request, fileResults }: EgressInfo): string | null => {
  const asked = request.case === 'roomComposite' ? request.value.fileOutputs[0]?.filepath : undefined;
  return FILE.exec(fileResults[0]?.filename || asked || '')?.[1] ?? null;
};

const egressOf = (info: EgressInfo): FoundEgress => {
  const file = info.fileResults[0];
  return {
    egressId: info.egressId,
    recordingId: recordingOf(info),
    phase: PHASES[info.status] ?? 'running',
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
  return { ...about, type: 'other' };
};

/** A call to the server. @throws VoiceServerError */
export const asked = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const isAnswered = error instanceof CallFailed;
    const message = isAnswered ? error.message : deepestCause(error);
    throw new VoiceServerError(isAnswered && error.isRefused ? 'refused' : 'away', message, { cause: error });
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
const permissions = (canPublish: boolean) => ({ canPublish, canSubscribe: true, canPublishData: canPublish });

export const livekit = (settings: LivekitSettings): VoiceServer => {
  const { url, publicUrl = url, apiKey, apiSecret } = settings;
  const { rooms, egress } = livekitClients(settings);
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  return {
    url: publicUrl.replace(/^http/, 'ws'),
    token: (topicId, { identity, name, canPublish, isModerator }) => {
      const token = new AccessToken(apiKey, apiSecret, { identity, name, ttl: TOKEN_S });
      token.addGrant({ roomJoin: true, room: roomOf(topicId), ...permissions(canPublish) });
      if (isModerator) token.addGrant({ roomAdmin: true });
      return token.toJwt();
    },
    devices: (topicId) =>
      asked(async () => {
        const found = await unlessGone(() => rooms.listParticipants(roomOf(topicId)), []);
        return found.flatMap((one) => deviceOf(one) ?? []);
      }),
    remove: (topicId, identity) =>
      asked(() => {
        const revokeTokenTs = BigInt(Math.ceil(Date.now() / 1_000));
        return unlessGone(() => rooms.removeParticipant(roomOf(topicId), identity, { revokeTokenTs }), undefined);
      }),
    letTalk: (topicId, identity, canTalk) =>
      asked(async () => {
        const permission = permissions(canTalk);
        await unlessGone<unknown>(() => rooms.updateParticipant(roomOf(topicId), identity, { permission }), undefined);
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
        // It has ended: the next look says how.
        if (!(error instanceof VoiceServerError && error.kind === 'refused')) throw error;
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
