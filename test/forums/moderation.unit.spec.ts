/** What is decided about categories, reactions, read positions, mutes and bans. */
import { describe, expect, it } from 'vitest';
import { leftOf } from '../../commands/forums/limits.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { type ForumCategoryEvent, forumCategory } from '../../domain/forums/category.ts';
import { type ForumReactionEvent, forumReaction } from '../../domain/forums/reaction.ts';
import { forumReader } from '../../domain/forums/reader.ts';
import { type ForumSanctionEvent, forumSanction, MAX_SANCTION_DAYS, sanctionAt } from '../../domain/forums/sanction.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
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

it('the limits shrink with every person who has reported somebody, and never to nothing', () => {
  expect([0, 1, 2, 5, 100].map((reporters) => leftOf(60, reporters))).toEqual([60, 30, 20, 10, 1]);
});
