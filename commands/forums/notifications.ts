/**
 * What people are told about forums: answers in their topics, which are counted, replies to their posts and mentions, and
 * what moderators decide about them. They name the author, never what was written. Whoever has read the post by then, or has
 * a block with its author, is not told.
 */
import { Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, DAY_MS, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { countedRu } from '../../domain/core/wording.ts';
import { forumTopic } from '../../domain/forums/topic.ts';
import type { EventOf } from '../../domain/modules.ts';
import { appeal } from '../../domain/reports/appeal.ts';
import type { CoreDeps } from '../core/deps.ts';
import { notification, type Settled } from '../core/notification.ts';
import { blockedBetween } from '../friends/friends.ts';
import { forumAppealables } from './appealables.ts';
import { isGone, knownUpTo, newsAfter, toldOfPost, toldOfTopic } from './news.ts';

/** Whoever reads along has read a post by then. */
const READING_MS = 1_500;
/** Answers within this time, in milliseconds, are told together. */
const TOGETHER_MS = MINUTE_MS;

/** Newer than any version. */
const EVERY_VERSION = Number.MAX_SAFE_INTEGER;

type Gone = Recorded<EventOf<'ForumPostDeleted' | 'ForumPostRemoved'>>;
type TopicGone = Recorded<EventOf<'ForumTopicDeleted' | 'ForumTopicRemoved'>>;

/** Of the answers that the author of a topic has not read, a post that is gone is none. */
const answerOfGone = async ({ data: { topicId } }: Gone, deps: CoreDeps): Promise<Settled | undefined> => {
  const { state } = await deps.aggregates.load(forumTopic, topicId);
  if (state.status !== 'open') return undefined;
  const { authorId: to, lastSeq: version } = state;
  const known = Math.max(1, await knownUpTo(deps, topicId, state, to));
  return { to, key: topicId, version, left: (await newsAfter(deps, state, known)).length };
};
const answersOfGone = ({ streamId: key, data: { authorId: to } }: TopicGone): Settled => ({
  to,
  key,
  version: EVERY_VERSION,
});

const replyOfGone = async ({ streamId: key, revision: before, data }: Gone, deps: CoreDeps): Promise<Settled[]> => {
  const { told } = await toldOfPost({ topicId: data.topicId, postId: key, before }, deps);
  return told.map((to) => ({ to, key, version: Number(before) }));
};
const without = (all: readonly string[], some: readonly (string | null)[]): string[] =>
  all.filter((id) => !some.includes(id));
const repliesOfGone = async ({ streamId: topicId }: TopicGone, deps: CoreDeps): Promise<Settled[]> =>
  (await toldOfTopic(deps, topicId)).map(({ to, postId: key }) => ({ to, key, version: EVERY_VERSION }));

const ofPost = Type.Object({ topic_id: Uuid, post_id: Uuid, seq: Type.Integer() });
const traits = { kind: 'chat', urgency: 'normal', worthMs: DAY_MS } as const;

const forumAnswers = notification('forum_answers', {
  ...traits,
  params: Type.Object({ topic_id: Uuid }),
  on: {
    ForumPostWritten: ({ streamId: topicId, at, data: { postId, seq, replyTo, mentions } }) => {
      if (seq === 1) return undefined;
      const named = [...(replyTo === null ? [] : [replyTo.authorId]), ...mentions].join(' ');
      const end = (Math.floor(Date.parse(at) / TOGETHER_MS) + 1) * TOGETHER_MS;
      return {
        about: { topicId, postId, named },
        key: `${topicId} ${end}`,
        dueAt: instantOf(end + READING_MS),
      };
    },
  },
  settledBy: {
    ForumTopicRead: ({ data: { topicId: key, accountId: to, upToSeq: version } }) => ({ to, key, version }),
    // People who write have seen what was written before.
    ForumPostWritten: ({ streamId: key, data: { authorId: to, seq: version } }) => ({ to, key, version }),
  },
  takenBackBy: {
    ForumPostDeleted: answerOfGone,
    ForumPostRemoved: answerOfGone,
    ForumTopicDeleted: answersOfGone,
    ForumTopicRemoved: answersOfGone,
  },
  find: async ({ topicId = '', postId = '', named = '' }, { deps }) => {
    const { state } = await deps.aggregates.load(forumTopic, topicId);
    if (state.status !== 'open') return [];
    const { authorId: to } = state;
    const known = Math.max(1, await knownUpTo(deps, topicId, state, to));
    const news = await newsAfter(deps, state, known);
    const newest = news.at(-1);
    if (!newest) return [];
    const { authorId: of, seq: version } = newest;
    // Whom the last of these posts answers or mentions was told of it by `forum_reply`.
    const isListedOnly = newest.id === postId && named.split(' ').includes(to);
    const params = { topic_id: topicId };
    return [{ to, of, key: topicId, version, known: version - news.length, isListedOnly, params }];
  },
  text: {
    ru: (_, { name, count }) => ({
      title: 'Ответы в вашей теме',
      body: `${name}: ${count === 1 ? 'новый ответ' : countedRu(count, 'новый ответ', 'новых ответа', 'новых ответов')}`,
    }),
    en: (_, { name, count }) => ({
      title: 'Answers in your topic',
      body: `${name}: ${count === 1 ? 'a new answer' : `${count} new answers`}`,
    }),
  },
  link: ({ topic_id }) => `/forums/topics/${topic_id}`,
});

/**
 * A mention that is edited in is told, one that stays is not told again, and one that goes, also with its post or topic, is taken
 * back.
 */
const forumReply = notification('forum_reply', {
  ...traits,
  params: Type.Object({ ...ofPost.properties, why: OneOf(['reply', 'mention'] as const) }),
  on: {
    ForumPostWritten: ({ streamId: topicId, at, data: { authorId, postId, seq, replyTo, mentions } }) => {
      if (replyTo === null && mentions.length === 0) return undefined;
      const about = { topicId, postId, authorId, seq: String(seq), repliedTo: replyTo?.authorId ?? '' };
      const dueAt = addMs(at, READING_MS);
      return { about: { ...about, mentions: mentions.join(' ') }, dueAt };
    },
    ForumPostEdited: ({ streamId: postId, revision, data: { topicId, authorId, mentions } }) => {
      const edit = String(Number(revision) + 1);
      return mentions.length === 0
        ? undefined
        : { about: { topicId, postId, authorId, mentions: mentions.join(' '), edit } };
    },
  },
  settledBy: {
    ForumTopicRead: ({ data: { topicId, accountId: to, upToSeq } }) => ({ to, about: { topic_id: topicId }, upToSeq }),
    ForumPostWritten: ({ streamId: topic_id, data: { authorId: to, seq: upToSeq } }) => ({
      to,
      about: { topic_id },
      upToSeq,
    }),
  },
  takenBackBy: {
    ForumPostDeleted: replyOfGone,
    ForumPostRemoved: replyOfGone,
    ForumTopicDeleted: repliesOfGone,
    ForumTopicRemoved: repliesOfGone,
    ForumPostEdited: async ({ streamId: key, revision: before, data: { topicId, mentions } }, deps) => {
      const { answered, mentioned } = await toldOfPost({ topicId, postId: key, before }, deps);
      return without(mentioned, [...mentions, answered]).map((to) => ({ to, key, version: Number(before) }));
    },
  },
  find: async (about, { deps }) => {
    const { topicId = '', postId = '', authorId = '', seq, repliedTo = '', mentions = '', edit = '0' } = about;
    const { state } = await deps.aggregates.load(forumTopic, topicId);
    if (state.status !== 'open' || (await isGone(deps, postId))) return [];
    const before = BigInt(edit) - 1n;
    const old = before < 0n ? null : await toldOfPost({ topicId, postId, before }, deps);
    // Whoever is mentioned by an edit has perhaps read the post before.
    const number = seq === undefined ? Number.MAX_SAFE_INTEGER : Number(seq);
    const named = [...new Set([repliedTo, ...mentions.split(' ')])].filter((id) => id !== '');
    const told = old ? without(named, [...old.mentioned, old.answered]) : named;
    const found = [];
    for (const to of told) {
      if (to === authorId || (await knownUpTo(deps, topicId, state, to)) >= number) continue;
      if (await blockedBetween(deps, authorId, to)) continue;
      const why = to === repliedTo ? ('reply' as const) : ('mention' as const);
      const shownSeq = seq === undefined ? 0 : number;
      const params = { topic_id: topicId, post_id: postId, seq: shownSeq, why };
      found.push({ to, of: authorId, key: postId, version: Number(edit), params });
    }
    return found;
  },
  text: {
    ru: ({ why }, { name }) =>
      why === 'reply'
        ? { title: 'Ответ на форуме', body: `${name} отвечает на ваше сообщение.` }
        : { title: 'Вас упомянули', body: `${name} упоминает вас на форуме.` },
    en: ({ why }, { name }) =>
      why === 'reply'
        ? { title: 'A reply in the forums', body: `${name} replied to your post.` }
        : { title: 'You were mentioned', body: `${name} mentioned you in the forums.` },
  },
  link: ({ topic_id, post_id }) => `/forums/topics/${topic_id}/posts/${post_id}`,
});

const ABOUT = ['post', 'topic', 'mute', 'ban'] as const;
const ruOf = {
  post: 'Модератор удалил ваше сообщение на форуме.',
  topic: 'Модератор удалил вашу тему на форуме.',
  mute: 'Модератор запретил вам писать в теме форума.',
  ban: 'Модератор запретил вам писать на форуме.',
} as const;
const enOf = {
  post: 'A moderator removed your post in the forums.',
  topic: 'A moderator removed your topic in the forums.',
  mute: 'A moderator muted you in a topic of the forums.',
  ban: 'A moderator banned you from the forums.',
} as const;

const forumModeration = notification('forum_moderation', {
  kind: 'system',
  urgency: 'normal',
  worthMs: 3 * DAY_MS,
  params: Type.Object({ what: OneOf(ABOUT), id: Uuid }),
  on: {
    ForumPostRemoved: ({ streamId: id, data: { authorId: to } }) => ({ about: { to, id, what: 'post' } }),
    ForumTopicRemoved: ({ streamId: id, data: { authorId: to } }) => ({ about: { to, id, what: 'topic' } }),
    ForumSanctionImposed: ({ streamId: id, data: { accountId: to, topicId } }) => ({
      about: { to, id, what: topicId === null ? 'ban' : 'mute' },
    }),
  },
  find: async ({ to = '', id = '', what }) => {
    const known = ABOUT.find((one) => one === what);
    return known === undefined ? [] : [{ to, params: { what: known, id } }];
  },
  text: {
    ru: ({ what }) => ({ title: 'Решение модератора', body: `${ruOf[what]} Вы можете подать апелляцию.` }),
    en: ({ what }) => ({ title: 'A decision of a moderator', body: `${enOf[what]} You can appeal.` }),
  },
  link: () => '/forums/moderation',
});

const forumAppealAnswered = notification('forum_appeal_answered', {
  kind: 'system',
  urgency: 'normal',
  worthMs: 3 * DAY_MS,
  params: Type.Object({ appeal_id: Uuid, accepted: Type.Boolean() }),
  on: {
    ForumAppealAnswered: ({ streamId: id, data: { accountId: to, accepted } }) => ({
      about: { to, id, accepted: String(accepted) },
    }),
  },
  find: async ({ to = '', id = '', accepted }, { deps }) => {
    const { state } = await deps.aggregates.load(appeal, id);
    const isOfForums = state.status !== 'none' && state.decision.kind in forumAppealables;
    return isOfForums ? [{ to, params: { appeal_id: id, accepted: accepted === 'true' } }] : [];
  },
  text: {
    ru: ({ accepted }) => ({
      title: 'Ответ на апелляцию',
      body: accepted ? 'Апелляция принята: решение отменено.' : 'Апелляция отклонена.',
    }),
    en: ({ accepted }) => ({
      title: 'Your appeal was answered',
      body: accepted ? 'It was accepted: the decision is undone.' : 'It was refused.',
    }),
  },
  link: () => '/forums/moderation',
});

export const forumNotifications = [forumAnswers, forumReply, forumModeration, forumAppealAnswered];
