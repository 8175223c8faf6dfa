/**
 * A recording of a voice room, `voiceRecording-<id>`. The voice server makes it as an egress, whose reports come in any order,
 * more than once, late or never: the first one that says how it has ended decides.
 */
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, requireExisting } from '../core/decider.ts';
import { markOf, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { Instant, Nullable, OneOf, Personal, ReasonText, Uuid } from '../core/schema.ts';

/**
 * `refused`, `not_started`: the voice server did not begin · `empty`: nobody spoke, or there is no file · `server_failed`: it
 * broke off · `lost`: the voice server knows nothing of it any more
 */
export const recordingFailures = ['refused', 'not_started', 'empty', 'server_failed', 'lost'] as const;
type RecordingFailure = (typeof recordingFailures)[number];

/** `expired`: kept long enough · `person_erased`: of somebody whose voice may be in it · `by_request`: somebody removed it */
const recordingRemovals = ['expired', 'person_erased', 'by_request'] as const;
type RecordingRemoval = (typeof recordingRemovals)[number];

const ofTopic = { topicId: Uuid };
const EgressId = Type.String({ minLength: 1, maxLength: 100 });

const voiceRecordingEvents = {
  VoiceRecordingRequested: { data: Type.Object({ ...ofTopic, requestedBy: Uuid }) },
  /** The voice server prepares it. Nothing is recorded yet. */
  VoiceRecordingAccepted: { data: Type.Object({ ...ofTopic, egressId: EgressId }) },
  /** From now on it is recorded; `startedAt` as the voice server has it. Older events: it was accepted. */
  VoiceRecordingStarted: {
    data: Type.Object({ ...ofTopic, egressId: EgressId, startedAt: Type.Optional(Instant) }),
  },
  /** `stoppedBy` null: it was too long. The end follows once the file is stored. */
  VoiceRecordingStopRequested: { data: Type.Object({ ...ofTopic, stoppedBy: Nullable(Uuid) }) },
  VoiceRecordingEnded: {
    data: Type.Object({
      ...ofTopic,
      /** Where the voice server has put the file. */
      location: Type.String({ minLength: 1, maxLength: 2_000 }),
      durationS: Type.Integer({ minimum: 1 }),
      sizeBytes: Type.Integer({ minimum: 0 }),
    }),
  },
  VoiceRecordingFailed: { data: Type.Object({ ...ofTopic, reason: OneOf(recordingFailures) }) },
  /**
   * Nobody but those who judge can play it from now on. Its file stays until what is kept for them ends. `reason`: of
   * somebody else, for who has started it; null: by that person, while a report of it was open.
   */
  VoiceRecordingHidden: {
    data: Type.Object({ ...ofTopic, requestedBy: Uuid, by: Uuid, reason: Nullable(Personal(ReasonText)) }),
    person: 'requestedBy',
  },
  /** After an appeal. */
  VoiceRecordingRestored: { data: Type.Object(ofTopic) },
  /** Nobody can play it from now on. Its file is deleted after this event. */
  VoiceRecordingRemoved: { data: Type.Object({ ...ofTopic, reason: OneOf(recordingRemovals) }) },
} as const satisfies EventDeclarations;
export type VoiceRecordingEvent = EventsOf<typeof voiceRecordingEvents>;

/** `starting`: nothing is recorded yet · `ending`: the file is being stored · `cut_off`: ended before anything was recorded */
export type EgressPhase = 'starting' | 'recording' | 'ending' | 'complete' | 'cut_off' | 'failed';

export const isRunning = ({ phase }: Pick<Egress, 'phase'>): boolean =>
  phase === 'starting' || phase === 'recording' || phase === 'ending';

/** What the voice server says of an egress. */
export interface Egress {
  readonly egressId: string;
  readonly phase: EgressPhase;
  /** From when on it was recorded, by the clock of the voice server; null: not yet, or it does not say. */
  readonly startedAt: string | null;
  /** null: no file (yet). */
  readonly location: string | null;
  /** Whole seconds. */
  readonly durationS: number;
  readonly sizeBytes: number;
}

export type VoiceRecordingCommand =
  | { readonly type: 'RequestRecording'; readonly topicId: string; readonly requestedBy: string }
  | { readonly type: 'ApplyEgress'; readonly egress: Egress }
  | { readonly type: 'StopRecording'; readonly by: string | null }
  | { readonly type: 'GiveUp'; readonly reason: RecordingFailure }
  /** `reason` null: by who has started it. One without a file is removed for good. */
  | { readonly type: 'HideRecording'; readonly by: string; readonly reason: string | null }
  | { readonly type: 'RestoreRecording' }
  /** Also while it runs: it is then over. */
  | { readonly type: 'RemoveRecording'; readonly reason: RecordingRemoval };

export interface KnownRecording {
  /** `requested`: nothing is recorded yet. */
  readonly status: 'requested' | 'started' | 'ended' | 'hidden' | 'failed' | 'removed';
  readonly topicId: string;
  readonly requestedBy: string;
  /** null: the voice server has not confirmed it. */
  readonly egressId: string | null;
  readonly isStopping: boolean;
  /** Why somebody else has taken it away; null: nobody has. */
  readonly takenAway: { readonly words: WordsMark } | null;
  /** How often somebody else has: each can be appealed once. */
  readonly removals: number;
}
export type VoiceRecording = { readonly status: 'none' } | KnownRecording;

export const isOver = ({ status }: VoiceRecording): boolean =>
  status === 'ended' || status === 'hidden' || status === 'failed' || status === 'removed';

/** Whether an egress is not the one of its recording, such as one whose start seemed to fail. */
export const isStray = (state: VoiceRecording, { egressId }: Pick<Egress, 'egressId'>): boolean =>
  state.status !== 'none' && (state.egressId === null ? isOver(state) : state.egressId !== egressId);

const outcomeOf = (topicId: string, { phase, ...egress }: Egress): VoiceRecordingEvent[] => {
  const failed = (reason: RecordingFailure): VoiceRecordingEvent[] => [
    { type: 'VoiceRecordingFailed', data: { topicId, reason } },
  ];
  if (isRunning({ phase })) return [];
  if (phase === 'failed') return failed('server_failed');
  const { location, durationS, sizeBytes } = egress;
  if (phase === 'cut_off' || location === null || durationS < 1) return failed('empty');
  return [{ type: 'VoiceRecordingEnded', data: { topicId, location, durationS, sizeBytes } }];
};

/** An egress that was recorded, or is: one that ends without a file has recorded nothing. */
const hasBegun = ({ phase, location, durationS }: Egress): boolean =>
  phase === 'recording' || (phase === 'complete' && location !== null && durationS >= 1);

const beginningOf = (topicId: string, egress: Egress, state: KnownRecording): VoiceRecordingEvent[] => {
  const { egressId, startedAt } = egress;
  if (state.status !== 'requested') return [];
  if (hasBegun(egress))
    return [{ type: 'VoiceRecordingStarted', data: { topicId, egressId, ...(startedAt !== null && { startedAt }) } }];
  return state.egressId === null ? [{ type: 'VoiceRecordingAccepted', data: { topicId, egressId } }] : [];
};

type Hide = Extract<VoiceRecordingCommand, { type: 'HideRecording' }>;
const hide = ({ by, reason }: Hide, state: KnownRecording): VoiceRecordingEvent[] => {
  const { topicId, requestedBy, takenAway } = state;
  if (takenAway) return saidBefore('This recording was removed before', takenAway.words, reason);
  if (state.status === 'failed' || state.status === 'removed') return [];
  if (state.status === 'hidden' && reason === null) return [];
  const hidden: VoiceRecordingEvent = { type: 'VoiceRecordingHidden', data: { topicId, requestedBy, by, reason } };
  if (state.status === 'ended' || state.status === 'hidden') return [hidden];
  const removed: VoiceRecordingEvent = { type: 'VoiceRecordingRemoved', data: { topicId, reason: 'by_request' } };
  return reason === null ? [removed] : [hidden, removed];
};

const decide = (command: VoiceRecordingCommand, state: VoiceRecording): VoiceRecordingEvent[] => {
  if (command.type === 'RequestRecording') {
    const { topicId, requestedBy } = command;
    return state.status === 'none' ? [{ type: 'VoiceRecordingRequested', data: { topicId, requestedBy } }] : [];
  }
  requireExisting(state, 'recording');
  const { topicId } = state;
  if (command.type === 'RemoveRecording') {
    const hasNothing = state.status === 'failed' || state.status === 'removed';
    return hasNothing ? [] : [{ type: 'VoiceRecordingRemoved', data: { topicId, reason: command.reason } }];
  }
  if (command.type === 'HideRecording') return hide(command, state);
  if (command.type === 'RestoreRecording')
    return state.status === 'hidden' ? [{ type: 'VoiceRecordingRestored', data: { topicId } }] : [];
  if (isOver(state)) return [];
  switch (command.type) {
    case 'ApplyEgress': {
      const { egress } = command;
      if (isStray(state, egress)) return [];
      return [...beginningOf(topicId, egress, state), ...outcomeOf(topicId, egress)];
    }
    case 'StopRecording':
      return state.isStopping
        ? []
        : [{ type: 'VoiceRecordingStopRequested', data: { topicId, stoppedBy: command.by } }];
    case 'GiveUp':
      return [{ type: 'VoiceRecordingFailed', data: { topicId, reason: command.reason } }];
  }
};

const evolve = (state: VoiceRecording, event: VoiceRecordingEvent): VoiceRecording => {
  if (event.type === 'VoiceRecordingRequested')
    return { status: 'requested', ...event.data, egressId: null, isStopping: false, takenAway: null, removals: 0 };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'VoiceRecordingAccepted':
      return { ...state, egressId: event.data.egressId };
    case 'VoiceRecordingStarted':
      return { ...state, status: 'started', egressId: event.data.egressId };
    case 'VoiceRecordingStopRequested':
      return { ...state, isStopping: true };
    case 'VoiceRecordingEnded':
      return { ...state, status: 'ended' };
    case 'VoiceRecordingFailed':
      return { ...state, status: 'failed' };
    case 'VoiceRecordingHidden': {
      const { reason } = event.data;
      const status = state.status === 'ended' ? ('hidden' as const) : state.status;
      if (reason === null) return { ...state, status };
      return { ...state, status, takenAway: { words: markOf(reason) }, removals: state.removals + 1 };
    }
    case 'VoiceRecordingRestored':
      return { ...state, status: 'ended', takenAway: null };
    case 'VoiceRecordingRemoved':
      return { ...state, status: 'removed' };
  }
};

export const voiceRecording: Decider<VoiceRecording, VoiceRecordingCommand, VoiceRecordingEvent> = {
  category: 'voiceRecording',
  short: 'a recording ends',
  events: voiceRecordingEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
