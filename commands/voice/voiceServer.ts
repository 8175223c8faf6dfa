/** The voice server: where people talk. Its media never pass through here. */

import { voicePurpose } from '../../domain/voice/index.ts';
import type { Egress } from '../../domain/voice/recording.ts';
import type { VoiceConnection } from '../../domain/voice/room.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';

export const peopleInRooms: ExternalPersonalData = {
  what: 'who is in a room, at the LiveKit server',
  where: 'provider',
  why: voicePurpose,
  retention: { until: 'the room is empty' },
  exported: 'no: it is gone when the person leaves',
  erased: 'removed from the room; whoever comes back with a token of before is removed again',
};

/** What a device may do in a room, and the name that others see. */
interface DeviceRights {
  readonly name: string;
  /** Sends the sound of its microphone. Otherwise it only listens. */
  readonly canTalk: boolean;
}

interface VoiceAccess extends DeviceRights {
  /** Names the device to the voice server. */
  readonly identity: string;
}

/** A device in a room, as the voice server has it. */
export interface Device extends VoiceConnection, DeviceRights {
  /** Names it to the voice server: `<account>:<session>`. */
  readonly identity: string;
  readonly sessionId: string;
  /** It may send more than sound, such as its screen. */
  readonly canSendMore: boolean;
}

/** An egress, and the recording that it was started for; null: for none of ours. */
export interface FoundEgress extends Egress {
  readonly recordingId: string | null;
}

/** What the voice server reports. `topicId` null: of a room that is none of ours. */
export type VoiceEvent = {
  readonly id: string;
  /** As the voice server calls it: `participant_joined`. */
  readonly name: string;
  /** The name of the room; empty where it has none. */
  readonly room: string;
  readonly topicId: string | null;
} & (
  | { readonly type: 'joined' | 'left'; readonly device: Device }
  | { readonly type: 'egress'; readonly egress: FoundEgress }
  /** The room did not exist before, or was lost in a crash. */
  | { readonly type: 'opened' }
  /** Nothing that we use. */
  | { readonly type: 'other' }
);

/** All calls end within seconds. @throws VoiceServerError */
export interface VoiceServer {
  /** Where apps connect, such as `wss://voice.example.org`. */
  readonly url: string;
  /** Works for `TOKEN_S`, from now on. */
  token(topicId: string, access: VoiceAccess): Promise<string>;
  /** The devices of people in the room. */
  devices(topicId: string): Promise<Device[]>;
  /** Disconnects a device from the room. Tokens that it has let it in again, until they end. Safe to repeat. */
  remove(topicId: string, identity: string): Promise<void>;
  /** Gives a device these rights, and ends what it transmits without them. Safe to repeat. */
  setRights(topicId: string, identity: string, rights: DeviceRights): Promise<void>;
  /** Shows everybody in the room whether it is recorded, unless the room shows that already. */
  showRecording(topicId: string, recordingId: string | null): Promise<void>;
  startRecording(topicId: string, recordingId: string): Promise<FoundEgress>;
  recordingsOf(topicId: string): Promise<FoundEgress[]>;
  /** Safe to repeat, also for what has ended. */
  stopRecording(egressId: string): Promise<void>;
  /** @throws ForgedVoiceEvent */
  readEvent(rawBody: string, authorization: string | undefined): Promise<VoiceEvent>;
}

/** How long a token lets somebody in, in seconds: long enough to join. */
export const TOKEN_S = 60;
/** LiveKit gives whoever has joined a token of its own, with the same rights, and renews it. It lasts this long, in seconds. */
export const RENEWED_TOKEN_S = 600;

/**
 * `refused`: the voice server has answered that it does not do this. `away`: nobody knows what it did. `isMissing`: it was
 * refused because the room, the person or the recording is not there.
 */
export class VoiceServerError extends OutsideFault {
  override readonly name = 'VoiceServerError';
  readonly kind: 'refused' | 'away';
  readonly isMissing: boolean;
  constructor(
    kind: 'refused' | 'away',
    message: string,
    options: ConstructorParameters<typeof OutsideFault>[1] & { readonly isMissing?: boolean } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.isMissing = options.isMissing ?? false;
  }
}

/** The voice server did not send this. */
export class ForgedVoiceEvent extends Error {
  override readonly name = 'ForgedVoiceEvent';
}
