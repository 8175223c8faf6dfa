/** The voice server: where people talk. Its media never pass through here. */

import type { Egress } from '../../domain/voice/recording.ts';
import type { VoiceConnection } from '../../domain/voice/room.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';

interface VoiceAccess {
  /** Names the device to the voice server. */
  readonly identity: string;
  /** What others see. */
  readonly name: string;
  readonly canPublish: boolean;
  /** May remove others and end the room. */
  readonly isModerator: boolean;
}

/** A device in a room. */
export interface Device extends VoiceConnection {
  /** Names it to the voice server: `<account>:<session>`. */
  readonly identity: string;
  /** What the voice server lets it do. */
  readonly canTalk: boolean;
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
  /** Disconnects a device from the room; tokens that it has got until now do not let it in again. Safe to repeat. */
  remove(topicId: string, identity: string): Promise<void>;
  /** Gives a device the right to talk, or takes it and ends what it transmits. Safe to repeat. */
  letTalk(topicId: string, identity: string, canTalk: boolean): Promise<void>;
  /** Shows everybody in the room whether it is recorded, unless the room shows that already. */
  showRecording(topicId: string, recordingId: string | null): Promise<void>;
  startRecording(topicId: string, recordingId: string): Promise<FoundEgress>;
  recordingsOf(topicId: string): Promise<FoundEgress[]>;
  /** Safe to repeat, also for what has ended. */
  stopRecording(egressId: string): Promise<void>;
  /** @throws ForgedVoiceEvent */
  readEvent(rawBody: string, authorization: string | undefined): Promise<VoiceEvent>;
}

/** How long a token lets somebody in, in seconds. */
export const TOKEN_S = 600;

/** `refused`: the voice server has answered, and did nothing. `away`: nobody knows what it did. */
export class VoiceServerError extends OutsideFault {
  override readonly name = 'VoiceServerError';
  readonly kind: 'refused' | 'away';
  constructor(kind: 'refused' | 'away', message: string, options?: ConstructorParameters<typeof OutsideFault>[1]) {
    super(message, options);
    this.kind = kind;
  }
}

/** The voice server did not send this. */
export class ForgedVoiceEvent extends Error {
  override readonly name = 'ForgedVoiceEvent';
}
