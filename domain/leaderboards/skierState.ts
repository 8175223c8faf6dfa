/** The state of what a person's tracks count for, and how it is kept as a snapshot. */
import { type Static, Type } from '@sinclair/typebox';
import { snapshot } from '../core/decider.ts';
import { NO_WORDS, WordsMark } from '../core/saidBefore.ts';
import { Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';
import { Score, TrackScore } from './score.ts';

/**
 * Why the score of a day is another one. `tracked`: a track was finished, or points came late. `no_skiing`: it comes to no
 * skiing at the resort any more.
 */
export const causes = ['tracked', 'set_aside', 'disqualified', 'released', 'discarded', 'no_skiing'] as const;
export type Cause = (typeof causes)[number];

/** `track` null: it does not count. */
const CountedTrack = Type.Object({ track: Nullable(TrackScore), cause: OneOf(causes) });

const Skier = Type.Object({
  /** null: nothing has happened yet. */
  accountId: Nullable(Uuid),
  /** null: the person does not take part. */
  displayName: Nullable(Personal(Type.String())),
  /** The last name that an admin removed: the person is shown without it, and cannot choose it again. */
  removedName: Nullable(Personal(Type.String())),
  /** Why. */
  removedFor: WordsMark,
  /** How many of their names were removed: each removal can be appealed once. */
  removals: Type.Integer(),
  /** Day → track → what it counts for. */
  days: Type.Record(Type.String(), Type.Record(Type.String(), CountedTrack)),
  /** The boards that show the person. One whose tracks were all taken out stays here, with nothing. */
  boards: Type.Record(Type.String(), Score),
});
export type Skier = Readonly<Static<typeof Skier>>;

export const initial: Skier = {
  accountId: null,
  displayName: null,
  removedName: null,
  removedFor: NO_WORDS,
  removals: 0,
  days: {},
  boards: {},
};

export const skierSnapshot = snapshot({
  version: 1,
  packed: Skier,
  pack: (state: Skier) => ({ ...state }),
  unpack: (state) => state,
  sealedFor: ({ accountId }) => (accountId === null ? null : { person: accountId }),
});
