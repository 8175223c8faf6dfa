/** What is decided about categories, reactions, read positions, mutes, bans and appeals. */
import { describe, expect, it } from 'vitest';
import { answerAppeal, undoDecision } from '../../commands/forums/appeals.ts';
import { leftOf } from '../../commands/forums/limits.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { type ForumAppealEvent, forumAppeal } from '../../domain/forums/appeal.ts';
import { type ForumCategoryEvent, forumCategory } from '../../domain/forums/category.ts';
import { type ForumReactionEvent, forumReaction } from '../../domain/forums/reaction.ts';
import { forumReader } from '../../domain/forums/reader.ts';
import { type ForumSanctionEvent, forumSanction, MAX_SANCTION_DAYS, sanctionAt } from '../../domain/forums/sanction.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { specification } from '../kit/given.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { ANNA, AT, LATER, TOPIC } from './forumFixtures.ts';

describe('a category', () => {
  const given = specification(forumCategory);
  const details = { title: 'Snow', description: '', position: 1, adminsStart: false };
  const created: ForumCategoryEvent = { type: 'ForumCategoryCreated', data: details };
  const deleted: ForumCategoryEvent = { type: 'ForumCategoryDeleted', data: {} };
  it('is created, changed and deleted', () => {
    given([]).when({ type: 'CreateCategory', details }).thenOnce([created]);
    const change = { type: 'ChangeCategory', details: { title: 'Ice' } } as const;
    given([created])
      .when(change)
      .thenOnce([{ type: 'ForumCategoryChanged', data: { ...details, title: 'Ice' } }]);
    given([created]).when({ type: 'DeleteCategory' }).thenOnce([deleted]);
    given([deleted]).when(change).then('not_found');
    given([]).when({ type: 'DeleteCategory' }).then('not_found');
  });
});

describe('a reaction', () => {
  const given = specification(forumReaction);
  const about = { topicId: TOPIC, postId: id(100), accountId: ANNA };
  const react = (kind: 'like' | 'sad' | null) => ({ type: 'React', ...about, kind }) as const;
  const gave = (kind: 'like' | 'sad'): ForumReactionEvent => ({ type: 'ForumReactionGiven', data: { ...about, kind } });
  it('replaces the former one, and is withdrawn', () => {
    given([])
      .when(react('like'))
      .thenOnce([gave('like')]);
    given([gave('like')])
      .when(react('sad'))
      .thenOnce([gave('sad')]);
    given([gave('like')])
      .when(react(null))
      .thenOnce([{ type: 'ForumReactionWithdrawn', data: about }]);
    given([]).when(react(null)).then([]);
  });
});

describe('a read position', () => {
  const given = specification(forumReader);
  const read = (upToSeq: number) =>
    ({ type: 'ForumTopicRead', data: { topicId: TOPIC, accountId: ANNA, upToSeq } }) as const;
  it('never goes back', () => {
    const command = (upToSeq: number) => ({ type: 'ReadTopic', topicId: TOPIC, accountId: ANNA, upToSeq }) as const;
    given([])
      .when(command(5))
      .thenOnce([read(5)]);
    given([read(5)])
      .when(command(4))
      .then([]);
  });
});

describe('a sanction', () => {
  const given = specification(forumSanction);
  const about = { accountId: ANNA, topicId: null };
  const impose = { type: 'ImposeSanction', ...about, until: LATER, reason: 'Rude', at: AT } as const;
  const imposed = (number: number): ForumSanctionEvent => ({
    type: 'ForumSanctionImposed',
    data: { ...about, number, until: LATER, reason: 'Rude' },
  });
  const lifted: ForumSanctionEvent = { type: 'ForumSanctionLifted', data: about };
  it('holds until its end, or until it is lifted', () => {
    given([])
      .when(impose)
      .thenOnce([imposed(1)]);
    expect(sanctionAt(given([imposed(1)]).state, AT)).toMatchObject({ until: LATER });
    expect(sanctionAt(given([imposed(1)]).state, LATER)).toBeUndefined();
    given([imposed(1)])
      .when({ type: 'LiftSanction' })
      .thenOnce([lifted]);
    expect(sanctionAt(given([imposed(1), lifted]).state, AT)).toBeUndefined();
    given([imposed(1), lifted])
      .when(impose)
      .thenOnce([imposed(2)]);
    given([]).when({ type: 'LiftSanction' }).then('not_found');
  });
  it('ends in the future, within some years', () => {
    given([])
      .when({ ...impose, until: AT })
      .then('invalid');
    const late = addMs(AT, MAX_SANCTION_DAYS * DAY_MS + 1);
    given([])
      .when({ ...impose, until: late })
      .then('invalid');
  });
});

describe('an appeal', () => {
  const given = specification(forumAppeal);
  const decision = { kind: 'post', id: id(100), number: 1 } as const;
  const filed: ForumAppealEvent = {
    type: 'ForumAppealFiled',
    data: { accountId: ANNA, decision, text: 'It was a joke.' },
  };
  const answered = (accepted: boolean): ForumAppealEvent => ({
    type: 'ForumAppealAnswered',
    data: { accountId: ANNA, accepted, answer: 'We have looked again.' },
  });
  const file = { type: 'FileAppeal', accountId: ANNA, decision, text: 'It was a joke.' } as const;
  const answer = (accepted: boolean) => ({ type: 'AnswerAppeal', accepted, answer: 'We have looked again.' }) as const;
  it('is filed once and answered once', () => {
    given([]).when(file).thenOnce([filed]);
    given([filed])
      .when(answer(true))
      .thenOnce([answered(true)]);
    given([filed, answered(false)])
      .when(file)
      .then('conflict');
    given([filed, answered(false)])
      .when(answer(true))
      .then('invalid_transition');
    given([]).when(answer(true)).then('not_found');
  });

  /** A ban that is appealed. */
  const banned = (before?: Parameters<typeof memoryAggregates>[0]) => {
    const aggregates = memoryAggregates(before);
    const ban = { accountId: ANNA, topicId: null, number: 1, until: LATER, reason: 'Spam' };
    const about = { kind: 'sanction', id: id(60), number: 1 } as const;
    aggregates.given(`forumSanction-${id(60)}`, [{ type: 'ForumSanctionImposed', data: ban }]);
    aggregates.given(`forumAppeal-${id(70)}`, [{ ...filed, data: { ...filed.data, decision: about } } as never]);
    const holds = () => sanctionAt(aggregates.stateOf(forumSanction, id(60)), AT) !== undefined;
    const reply = (accepted: boolean) =>
      answerAppeal({ aggregates }, contextOf(id(9), 'admin', AT), id(70), {
        accepted,
        answer: 'We have looked again.',
      });
    return { aggregates, about, holds, reply };
  };

  it('that is accepted lifts the ban', async () => {
    const { holds, reply } = banned();
    await reply(true);
    expect(holds()).toBe(false);
  });

  it('that another admin refuses at the same moment lifts nothing', async () => {
    let isFirst = true;
    const { holds, reply } = banned(async ({ type }) => {
      if (type === 'FileAppeal' || !isFirst) return;
      isFirst = false;
      await reply(false);
    });
    await expect(reply(true)).rejects.toMatchObject({ code: 'invalid_transition' });
    expect(holds()).toBe(true);
  });

  it('whose answer was recorded is carried out later, but not against a newer decision', async () => {
    const { aggregates, about, holds } = banned();
    const deps = { aggregates };
    await undoDecision(deps, contextOf(id(9), 'admin', AT), { ...about, number: 2 });
    expect(holds()).toBe(true);
    await undoDecision(deps, contextOf(id(9), 'admin', AT), about);
    expect(holds()).toBe(false);
  });
});

it('the limits shrink with every person who has reported somebody, and never to nothing', () => {
  expect([0, 1, 2, 5, 100].map((reporters) => leftOf(60, reporters))).toEqual([60, 30, 20, 10, 1]);
});
