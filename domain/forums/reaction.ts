/** How one person reacts to one post, `forumReaction-<derived from both>`: with one reaction, which another one replaces. */
import { type Static, Type } from '@sinclair/typebox';
import type { Decider, EventDeclarations, EventsOf } from '../core/decider.ts';
import { OneOf, Uuid } from '../core/schema.ts';

export const reactionKinds = ['like', 'thanks', 'helpful', 'funny', 'sad'] as const;
export const ReactionKind = OneOf(reactionKinds);
export type ReactionKind = Static<typeof ReactionKind>;

const About = { topicId: Uuid, postId: Uuid, accountId: Uuid };

const forumReactionEvents = {
  ForumReactionGiven: { data: Type.Object({ ...About, kind: ReactionKind }) },
  ForumReactionWithdrawn: { data: Type.Object(About) },
} as const satisfies EventDeclarations;
export type ForumReactionEvent = EventsOf<typeof forumReactionEvents>;

export interface ForumReaction {
  readonly kind: ReactionKind | null;
}
export interface ForumReactionCommand {
  readonly type: 'React';
  readonly topicId: string;
  readonly postId: string;
  readonly accountId: string;
  /** null: none any more. */
  readonly kind: ReactionKind | null;
}

const decide = ({ type, kind, ...about }: ForumReactionCommand, state: ForumReaction): ForumReactionEvent[] => {
  if (kind === state.kind) return [];
  return kind === null
    ? [{ type: 'ForumReactionWithdrawn', data: about }]
    : [{ type: 'ForumReactionGiven', data: { ...about, kind } }];
};

const evolve = (_: ForumReaction, event: ForumReactionEvent): ForumReaction => {
  switch (event.type) {
    case 'ForumReactionGiven':
      return { kind: event.data.kind };
    case 'ForumReactionWithdrawn':
      return { kind: null };
  }
};

export const forumReaction: Decider<ForumReaction, ForumReactionCommand, ForumReactionEvent> = {
  category: 'forumReaction',
  short: 'one person reacts to one post',
  events: forumReactionEvents,
  initial: { kind: null },
  decide,
  evolve,
};
