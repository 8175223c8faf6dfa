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
  TwirpError,
  type WebhookEvent,
  WebhookReceiver,
} from 'livekit-server-sdk';
import type { EgressPhase } from '../../domain/voice/recording.ts';
import type { VoiceConnection } from '../../domain/voice/room.ts';
import {
  ForgedVoiceEvent,
  type FoundEgress,
  TOKEN_S,
  type VoiceEvent,
  type VoiceServer,
  VoiceServerError,
} from './server.ts';

export interface LivekitSettings {
  /** `https://…` or `wss://…`. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

const TIMEOUT_S = 5;
const NS = 1_000_000_000n;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ROOM = new RegExp(`^besedka-(${UUID})$`);
const IDENTITY = new RegExp(`^(${UUID}):`);
const FILE = new RegExp(`(${UUID})\\.ogg$`);

const roomOf = (topicId: string): string => `besedka-${topicId}`;
/** The name of a recording's file in the storage. */
export const recordingKey = (recordingId: string): string => `${recordingId}.ogg`;
const topicOf = (room: string): string | null => ROOM.exec(room)?.[1] ?? null;

/** A person's connection; undefined for others, such as the one that records. */
const connectionOf = ({ sid, identity }: ParticipantInfo): VoiceConnection | undefined => {
  const accountId = IDENTITY.exec(identity)?.[1];
  return accountId === undefined || sid === '' ? undefined : { connectionId: sid, accountId };
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
  const about = { id, topicId: topicOf(room?.name ?? egressInfo?.roomName ?? '') };
  if (egressInfo) return { ...about, type: 'egress', egress: egressOf(egressInfo) };
  const connection = participant && connectionOf(participant);
  if (connection && event === 'participant_joined') return { ...about, type: 'joined', connection };
  if (connection && (event === 'participant_left' || event === 'participant_connection_aborted'))
    return { ...about, type: 'left', connection };
  return { ...about, type: 'other' };
};

const is404 = (error: unknown): boolean => error instanceof TwirpError && error.status === 404;

/** A call to the server. @throws VoiceServerError */
const asked = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isRefused = error instanceof TwirpError && error.status < 500 && error.status !== 429;
    throw new VoiceServerError(isRefused ? 'refused' : 'away', message, { cause: error });
  }
};

/** What the room or egress does not have is no error. */
const unlessGone = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (is404(error)) return otherwise;
    throw error;
  }
};

export const livekit = ({ url, apiKey, apiSecret }: LivekitSettings): VoiceServer => {
  const options = { requestTimeout: TIMEOUT_S, failover: false };
  const api = url.replace(/^ws/, 'http');
  const roomService = new RoomServiceClient(api, apiKey, apiSecret, options);
  const egress = new EgressClient(api, apiKey, apiSecret, options);
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  const participants = (topicId: string) => unlessGone(() => roomService.listParticipants(roomOf(topicId)), []);
  return {
    url: url.replace(/^http/, 'ws'),
    token: (topicId, { identity, name, canPublish, isModerator }) => {
      const token = new AccessToken(apiKey, apiSecret, { identity, name, ttl: TOKEN_S });
      const room = roomOf(topicId);
      token.addGrant({ roomJoin: true, room, canPublish, canSubscribe: true, canPublishData: canPublish });
      if (isModerator) token.addGrant({ roomAdmin: true });
      return token.toJwt();
    },
    connections: (topicId) =>
      asked(async () => (await participants(topicId)).flatMap((one) => connectionOf(one) ?? [])),
    remove: (topicId, accountId) =>
      asked(async () => {
        for (const one of await participants(topicId))
          if (connectionOf(one)?.accountId === accountId)
            await unlessGone(() => roomService.removeParticipant(roomOf(topicId), one.identity), undefined);
      }),
    showRecording: (topicId, recordingId) =>
      asked(async () => {
        const metadata = JSON.stringify({ recording: recordingId !== null, recording_id: recordingId });
        await unlessGone<unknown>(() => roomService.updateRoomMetadata(roomOf(topicId), metadata), undefined);
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
    rooms: () => asked(async () => (await roomService.listRooms()).map(({ name }) => name)),
  };
};
