/**
 * That a person asks to look again at what a moderator has decided about them: a removed post or topic, a mute or a ban. One
 * stream for each decision, `forumAppeal-<derived from it>`, so that each is appealed once.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { markOf, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { OneOf, Personal, Uuid } from '../core/schema.ts';
import { ModeratorText } from './topicEvents.ts';

export const appealKinds = ['post', 'topic', 'sanction'] as const;

/** A decision: `number` tells those about the same thing apart. */
export const Decision = Type.Object({ kind: OneOf(appealKinds), id: Uuid, number: Type.Integer({ minimum: 1 }) });
export type Decision = Static<typeof Decision>;

const forumAppealEvents = {
  ForumAppealFiled: {
    data: Type.Object({ accountId: Uuid, decision: Decision, text: Personal(ModeratorText) }),
    person: 'accountId',
  },
  /** `answer`: for the person who has appealed. */
  ForumAppealAnswered: {
    data: Type.Object({ accountId: Uuid, accepted: Type.Boolean(), answer: Personal(ModeratorText) }),
    person: 'accountId',
  },
} as const satisfies EventDeclarations;
export type ForumAppealEvent = EventsOf<typeof forumAppealEvents>;

export type ForumAppealCommand =
  | {
      readonly type: 'FileAppeal';
      readonly accountId: string;
      readonly decision: Decision;
      readonly text: string;
    }
  | { readonly type: 'AnswerAppeal'; readonly accepted: boolean; readonly answer: string };

export type ForumAppeal =
  | { readonly status: 'none' }
  | {
      readonly status: 'open';
      readonly accountId: string;
      readonly decision: Decision;
      /** Of the appeal. */
      readonly words: WordsMark;
    }
  | {
      readonly status: 'answered';
      readonly accountId: string;
      readonly decision: Decision;
      readonly accepted: boolean;
      /** Of the answer. */
      readonly words: WordsMark;
    };

const decide = (command: ForumAppealCommand, state: ForumAppeal): ForumAppealEvent[] => {
  switch (command.type) {
    case 'FileAppeal': {
      const { type, ...data } = command;
      if (state.status === 'answered')
        throw new Rejected('conflict', 'Your appeal against this decision was answered already.');
      if (state.status === 'open')
        return saidBefore('You have appealed against this decision before', state.words, data.text, { noun: 'text' });
      return [{ type: 'ForumAppealFiled', data }];
    }
    case 'AnswerAppeal': {
      const { accepted, answer } = command;
      if (state.status === 'none') throw notFound('appeal');
      if (state.status === 'open')
        return [{ type: 'ForumAppealAnswered', data: { accountId: state.accountId, accepted, answer } }];
      if (state.accepted === accepted)
        return saidBefore('This appeal was answered before', state.words, answer, { noun: 'answer' });
      throw new Rejected(
        'invalid_transition',
        `This appeal was already ${state.accepted ? 'accepted' : 'refused'}. Remove or restore the content itself.`,
      );
    }
  }
};

const evolve = (state: ForumAppeal, event: ForumAppealEvent): ForumAppeal => {
  switch (event.type) {
    case 'ForumAppealFiled': {
      const { accountId, decision } = event.data;
      return { status: 'open', accountId, decision, words: markOf(event.data.text) };
    }
    case 'ForumAppealAnswered':
      if (state.status === 'none') return state;
      return { ...state, status: 'answered', accepted: event.data.accepted, words: markOf(event.data.answer) };
  }
};

export const forumAppeal: Decider<ForumAppeal, ForumAppealCommand, ForumAppealEvent> = {
  category: 'forumAppeal',
  events: forumAppealEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
