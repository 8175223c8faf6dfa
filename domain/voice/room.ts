/**
 * The voice room of a topic, `voiceRoom-<topic id>`: who has opened it, who is in it, and the one recording that may run.
 * The voice server reports who comes and goes, in any order and more than once, so people are known by their connections.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, snapshot } from '../core/decider.ts';
import { Nullable, Uuid } from '../core/schema.ts';

/** The voice server's name of one connection of a device to a room. */
const ConnectionId = Type.String({ minLength: 1, maxLength: 100 });
export const VoiceConnection = Type.Object({ connectionId: ConnectionId, accountId: Uuid });
export type VoiceConnection = Readonly<Static<typeof VoiceConnection>>;

const OfRecording = Type.Object({ recordingId: Uuid });

const voiceRoomEvents = {
  /** Somebody was let into an empty room. */
  VoiceRoomOpened: { data: Type.Object({ openedBy: Uuid }) },
  VoiceRoomClosed: { data: Type.Object({}) },
  VoiceParticipantJoined: { data: VoiceConnection },
  VoiceParticipantLeft: { data: VoiceConnection },
  /** No other recording can begin until it is freed. */
  VoiceRecordingReserved: { data: OfRecording },
  /** Somebody was in the room while it was recorded, so their voice may be in the recording. Once for each person. */
  VoiceParticipantRecorded: { data: Type.Object({ ...OfRecording.properties, accountId: Uuid }) },
  VoiceRecordingFreed: { data: OfRecording },
} as const satisfies EventDeclarations;
export type VoiceRoomEvent = EventsOf<typeof voiceRoomEvents>;

export type VoiceRoomCommand =
  | { readonly type: 'OpenRoom'; readonly by: string }
  | { readonly type: 'CloseRoom' }
  | ({ readonly type: 'Join' | 'Leave' } & VoiceConnection)
  /** What the voice server lists now. It outweighs what was reported. */
  | { readonly type: 'ApplyConnections'; readonly connections: readonly VoiceConnection[] }
  /**
   * `mayRecord`: the author of the topic and moderators. The person who has opened the room may, too. `listed`: who is there
   * by the list of the voice server; without it, what was reported counts.
   */
  | {
      readonly type: 'ReserveRecording';
      readonly recordingId: string;
      readonly by: string;
      readonly mayRecord: boolean;
      readonly listed?: readonly VoiceConnection[];
    }
  | { readonly type: 'FreeRecording'; readonly recordingId: string };

const State = Type.Object({
  openedBy: Nullable(Type.String()),
  present: Type.Array(VoiceConnection),
  /** Connections that have ended, the newest last: "joined" may come after "left". */
  gone: Type.Array(Type.String()),
  recordingId: Nullable(Type.String()),
  /** Who was in the room since this recording began. */
  recorded: Type.Array(Type.String()),
  /** The last one that is over. */
  lastRecordingId: Nullable(Type.String()),
});
export type VoiceRoom = Readonly<Static<typeof State>>;

/** How many ended connections are remembered. */
const GONE = 200;
const initial: VoiceRoom = {
  openedBy: null,
  present: [],
  gone: [],
  recordingId: null,
  recorded: [],
  lastRecordingId: null,
};

const isPresent = ({ present }: VoiceRoom, connectionId: string): boolean =>
  present.some((one) => one.connectionId === connectionId);

const joined = ({ connectionId, accountId }: VoiceConnection): VoiceRoomEvent => ({
  type: 'VoiceParticipantJoined',
  data: { connectionId, accountId },
});
const left = ({ connectionId, accountId }: VoiceConnection): VoiceRoomEvent => ({
  type: 'VoiceParticipantLeft',
  data: { connectionId, accountId },
});

/** The people who were not in this recording before. */
const recorded = (
  { recorded: before }: VoiceRoom,
  recordingId: string | null,
  people: readonly Pick<VoiceConnection, 'accountId'>[],
): VoiceRoomEvent[] =>
  recordingId === null
    ? []
    : [...new Set(people.map(({ accountId }) => accountId))]
        .filter((accountId) => !before.includes(accountId))
        .map((accountId) => ({ type: 'VoiceParticipantRecorded', data: { recordingId, accountId } }));

const reserve = (
  { recordingId, by, mayRecord, listed }: Extract<VoiceRoomCommand, { type: 'ReserveRecording' }>,
  state: VoiceRoom,
): VoiceRoomEvent[] => {
  if (!mayRecord && state.openedBy !== by)
    throw new Rejected(
      'forbidden',
      'Only who has opened the room, the author of the topic and moderators can record it.',
    );
  if (state.recordingId === recordingId) return [];
  if (state.recordingId !== null)
    throw new Rejected('conflict', 'This room is being recorded already.', { recording_id: state.recordingId });
  const people = listed ?? state.present;
  if (people.length === 0)
    throw new Rejected('conflict', 'Nobody is in this voice room, so there is nothing to record. Join it first.');
  if (!people.some(({ accountId }) => accountId === by))
    throw new Rejected('forbidden', 'Only who is in the voice room can record it. Join it first.');
  return [{ type: 'VoiceRecordingReserved', data: { recordingId } }, ...recorded(state, recordingId, people)];
};

const decide = (command: VoiceRoomCommand, state: VoiceRoom): VoiceRoomEvent[] => {
  switch (command.type) {
    case 'OpenRoom':
      return state.openedBy === null ? [{ type: 'VoiceRoomOpened', data: { openedBy: command.by } }] : [];
    case 'CloseRoom':
      return state.openedBy === null || state.present.length > 0 ? [] : [{ type: 'VoiceRoomClosed', data: {} }];
    case 'Join':
      return isPresent(state, command.connectionId) || state.gone.includes(command.connectionId)
        ? []
        : [joined(command), ...recorded(state, state.recordingId, [command])];
    case 'Leave':
      return state.gone.includes(command.connectionId) ? [] : [left(command)];
    case 'ApplyConnections': {
      const listed = new Set(command.connections.map(({ connectionId }) => connectionId));
      return [
        ...state.present.filter(({ connectionId }) => !listed.has(connectionId)).map(left),
        ...command.connections.filter(({ connectionId }) => !isPresent(state, connectionId)).map(joined),
        ...recorded(state, state.recordingId, command.connections),
      ];
    }
    case 'ReserveRecording':
      return reserve(command, state);
    case 'FreeRecording': {
      const { recordingId } = command;
      return state.recordingId === recordingId ? [{ type: 'VoiceRecordingFreed', data: { recordingId } }] : [];
    }
  }
};

const evolve = (state: VoiceRoom, event: VoiceRoomEvent): VoiceRoom => {
  switch (event.type) {
    case 'VoiceRoomOpened':
      return { ...state, openedBy: event.data.openedBy };
    case 'VoiceRoomClosed':
      return { ...state, openedBy: null };
    case 'VoiceParticipantJoined': {
      const gone = state.gone.filter((id) => id !== event.data.connectionId);
      return { ...state, present: [...state.present, event.data], gone };
    }
    case 'VoiceParticipantLeft': {
      const { connectionId } = event.data;
      const present = state.present.filter((one) => one.connectionId !== connectionId);
      return { ...state, present, gone: [...state.gone.slice(1 - GONE), connectionId] };
    }
    case 'VoiceRecordingReserved':
      return { ...state, recordingId: event.data.recordingId, recorded: [] };
    case 'VoiceParticipantRecorded':
      return { ...state, recorded: [...state.recorded, event.data.accountId] };
    case 'VoiceRecordingFreed':
      return { ...state, recordingId: null, recorded: [], lastRecordingId: event.data.recordingId };
  }
};

export const voiceRoom: Decider<VoiceRoom, VoiceRoomCommand, VoiceRoomEvent> = {
  category: 'voiceRoom',
  events: voiceRoomEvents,
  initial,
  decide,
  evolve,
  snapshot: snapshot<VoiceRoom, typeof State>({
    version: 2,
    packed: State,
    pack: (state) => ({ ...state, present: [...state.present], gone: [...state.gone], recorded: [...state.recorded] }),
    unpack: (packed) => packed,
  }),
};
