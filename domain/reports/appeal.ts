/**
 * That a person asks to look again at what a moderator has decided about them: something of theirs that was removed, a mute
 * or a ban. One stream for each decision, `forumAppeal-<derived from it>`, so that each is appealed once. The names are
 * those of the forums, which had appeals first.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, requireExisting } from '../core/decider.ts';
import { markOf, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { OneOf, Personal, ReasonText, Uuid } from '../core/schema.ts';

/** What can be appealed. The module that has it declares what stands, and how it is undone (`commands/reports/appealables.ts`). */
export const appealKinds = [
  'post',
  'topic',
  'sanction',
  'review',
  'story',
  'leaderboard_name',
  'message',
  'voice_recording',
] as const;
export type AppealKind = (typeof appealKinds)[number];

/** A decision: `number` tells those about the same thing apart. */
export const Decision = Type.Object({ kind: OneOf(appealKinds), id: Uuid, number: Type.Integer({ minimum: 1 }) });
export type Decision = Static<typeof Decision>;

const appealEvents = {
  ForumAppealFiled: {
    data: Type.Object({ accountId: Uuid, decision: Decision, text: Personal(ReasonText) }),
    person: 'accountId',
  },
  /** `answer`: for the person who has appealed. `isFinal`: what was decided cannot be undone any more. */
  ForumAppealAnswered: {
    data: Type.Object({
      accountId: Uuid,
      accepted: Type.Boolean(),
      answer: Personal(ReasonText),
      isFinal: Type.Optional(Type.Literal(true)),
    }),
    person: 'accountId',
  },
} as const satisfies EventDeclarations;
export type AppealEvent = EventsOf<typeof appealEvents>;

export type AppealCommand =
  | {
      readonly type: 'FileAppeal';
      readonly accountId: string;
      readonly decision: Decision;
      readonly text: string;
    }
  /** `isFinal`: what was decided cannot be undone any more. */
  | {
      readonly type: 'AnswerAppeal';
      readonly accepted: boolean;
      readonly answer: string;
      readonly isFinal: boolean;
    };

export type Appeal =
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
      /** It was accepted, and what was decided could not be undone any more. */
      readonly isFinal: boolean;
      /** Of the answer. */
      readonly words: WordsMark;
    };

const decide = (command: AppealCommand, state: Appeal): AppealEvent[] => {
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
      const isFinal = accepted && command.isFinal;
      requireExisting(state, 'appeal');
      if (state.status === 'open')
        return [
          {
            type: 'ForumAppealAnswered',
            data: { accountId: state.accountId, accepted, answer, ...(isFinal && { isFinal }) },
          },
        ];
      if (state.accepted === accepted)
        return saidBefore('This appeal was answered before', state.words, answer, { noun: 'answer' });
      throw new Rejected(
        'invalid_transition',
        `This appeal was already ${state.accepted ? 'accepted' : 'refused'}. Remove or restore the content itself.`,
      );
    }
  }
};

const evolve = (state: Appeal, event: AppealEvent): Appeal => {
  switch (event.type) {
    case 'ForumAppealFiled': {
      const { accountId, decision } = event.data;
      return { status: 'open', accountId, decision, words: markOf(event.data.text) };
    }
    case 'ForumAppealAnswered':
      if (state.status === 'none') return state;
      return {
        ...state,
        status: 'answered',
        accepted: event.data.accepted,
        isFinal: event.data.isFinal === true,
        words: markOf(event.data.answer),
      };
  }
};

export const appeal: Decider<Appeal, AppealCommand, AppealEvent> = {
  category: 'forumAppeal',
  short: 'an appeal is answered once',
  events: appealEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
