/**
 * Whether a track counts in comparisons with others: one that looks as if nobody could have skied it so is set aside until an
 * admin has looked at it. A stream of its own for each session, which has the same id. The owner's own statistics do not
 * change.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { markOf, NO_WORDS, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { DateOnly, OneOf, Personal, ReasonText, Uuid } from '../core/schema.ts';

/**
 * `same_track`: the points of another session, perhaps of somebody else. `overlap`: the same person recorded another session
 * at that time.
 */
const suspicionKinds = [
  'impossible_speed',
  'impossible_vertical',
  'impossible_distance',
  'mock_location',
  'same_track',
  'overlap',
] as const;
export const Suspicion = Type.Object({ kind: OneOf(suspicionKinds), otherSessionId: Type.Optional(Uuid) });
export type Suspicion = Static<typeof Suspicion>;

const of = { accountId: Uuid, day: DateOnly };

const trackReviewEvents = {
  /** Again with further suspicions. */
  TrackSetAside: { data: Type.Object({ ...of, suspicions: Type.Array(Suspicion, { minItems: 1 }) }) },
  /** By an admin. `reason`: for the owner. */
  TrackDisqualified: { data: Type.Object({ ...of, reason: Personal(ReasonText) }), person: 'accountId' },
  /** By an admin: it counts. */
  TrackReleased: { data: Type.Object(of) },
} as const satisfies EventDeclarations;
export type TrackReviewEvent = EventsOf<typeof trackReviewEvents>;

interface Of {
  readonly accountId: string;
  /** The day that the session counts for. */
  readonly day: string;
}
export type TrackReviewCommand =
  | ({ readonly type: 'SetTrackAside'; readonly suspicions: readonly Suspicion[] } & Of)
  | ({ readonly type: 'DisqualifyTrack'; readonly reason: string } & Of)
  | ({ readonly type: 'ReleaseTrack' } & Of);

export interface TrackReview {
  readonly status: 'none' | 'set_aside' | 'disqualified' | 'released';
  /** The suspicions that are known, also those that an admin has dismissed. */
  readonly known: readonly Suspicion['kind'][];
  /** Why it was disqualified the last time. */
  readonly words: WordsMark;
}

/** Whether the track counts. */
export const isCounted = ({ status }: TrackReview): boolean => status === 'none' || status === 'released';

const decide = (command: TrackReviewCommand, state: TrackReview): TrackReviewEvent[] => {
  const { accountId, day } = command;
  switch (command.type) {
    case 'SetTrackAside': {
      if (state.status === 'disqualified') return [];
      const suspicions = command.suspicions.filter(({ kind }) => !state.known.includes(kind));
      return suspicions.length === 0 ? [] : [{ type: 'TrackSetAside', data: { accountId, day, suspicions } }];
    }
    case 'DisqualifyTrack':
      if (state.status === 'disqualified')
        return saidBefore('This track was taken out before', state.words, command.reason);
      return [{ type: 'TrackDisqualified', data: { accountId, day, reason: command.reason } }];
    case 'ReleaseTrack':
      if (state.status === 'released') return [];
      if (state.status === 'none')
        throw new Rejected('invalid_transition', 'This track counts already: it was not set aside.');
      return [{ type: 'TrackReleased', data: { accountId, day } }];
  }
};

const evolve = (state: TrackReview, event: TrackReviewEvent): TrackReview => {
  switch (event.type) {
    case 'TrackSetAside':
      return {
        ...state,
        status: 'set_aside',
        known: [...state.known, ...event.data.suspicions.map(({ kind }) => kind)],
      };
    case 'TrackDisqualified':
      return { ...state, status: 'disqualified', words: markOf(event.data.reason) };
    case 'TrackReleased':
      return { ...state, status: 'released' };
  }
};

export const trackReview: Decider<TrackReview, TrackReviewCommand, TrackReviewEvent> = {
  category: 'trackReview',
  short: 'a track is judged once or twice',
  events: trackReviewEvents,
  initial: { status: 'none', known: [], words: NO_WORDS },
  decide,
  evolve,
};
