/** What is new in a topic to its author, and who was told of a post. */
import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { type ForumPostEvent, forumPost } from '../../domain/forums/post.ts';
import { forumTopic } from '../../domain/forums/topic.ts';
import type { ForumTopicEvent, PostWritten } from '../../domain/forums/topicEvents.ts';
import type { RecentPost, StartedTopic } from '../../domain/forums/topicState.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import type { CoreDeps } from '../core/deps.ts';
import { blockedBetween } from '../friends/friends.ts';
import { readUpTo } from './reading.ts';

/** Posts and pairs of people that are read at the same time. */
const AT_ONCE = 8;
const PAGE = 200;
/** So far back a topic is searched: of older posts nobody has an unread notification that matters. */
const MOST_SEARCHED = 2_000;

type Deps = Pick<CoreDeps, 'aggregates' | 'store' | 'codec'>;

export const isGone = async ({ aggregates }: Pick<Deps, 'aggregates'>, postId: string): Promise<boolean> =>
  (await aggregates.load(forumPost, postId)).state.status !== 'written';

/** Up to where somebody knows a topic: they have read it, or have written in it and seen what was written before. */
export const knownUpTo = async (
  deps: Pick<CoreDeps, 'aggregates'>,
  topicId: string,
  { recent }: StartedTopic,
  to: string,
): Promise<number> => {
  const own = recent.findLast(({ authorId }) => authorId === to)?.seq ?? 0;
  return Math.max(own, await readUpTo(deps as CoreDeps, { topicId, accountId: to }));
};

/**
 * The posts after this number that the author of a topic is told of, in their order: they are there, and no block is between
 * the two authors.
 */
export const newsAfter = async (
  deps: Pick<CoreDeps, 'aggregates'>,
  { recent, authorId: to }: StartedTopic,
  known: number,
): Promise<RecentPost[]> => {
  const later = recent.filter(({ seq }) => seq > known);
  const silent = new Set<string>();
  await concurrentEach([...new Set(later.map(({ authorId }) => authorId))], AT_ONCE, async (authorId) => {
    if (await blockedBetween(deps, authorId, to)) silent.add(authorId);
  });
  await concurrentEach(later, AT_ONCE, async ({ id }) => {
    if (await isGone(deps, id)) silent.add(id);
  });
  return later.filter(({ id, authorId }) => !silent.has(id) && !silent.has(authorId));
};

/** Posts of a topic as they were written, the newest first, until enough were found or the search has gone back far enough. */
const writtenIn = async (
  { aggregates, store, codec }: Deps,
  topicId: string,
  isWanted: (post: PostWritten) => boolean,
  most: number,
): Promise<PostWritten[]> => {
  const { revision } = await aggregates.load(forumTopic, topicId);
  const found: PostWritten[] = [];
  let from = revision ?? -1n;
  for (let searched = 0; from >= 0n && searched < MOST_SEARCHED && found.length < most; searched += PAGE) {
    const page = await store.read(streamName(forumTopic.category, topicId), {
      from,
      direction: 'backwards',
      max: PAGE,
    });
    for (const { type, data } of await codec.decode<Recorded<ForumTopicEvent>>(page))
      if (type === 'ForumPostWritten' && isWanted(data)) found.push(data);
    from -= BigInt(PAGE);
  }
  return found.slice(0, most);
};

const toldAtFirst = ({ authorId, replyTo, mentions }: PostWritten): string[] =>
  [...new Set([...(replyTo === null ? [] : [replyTo.authorId]), ...mentions])].filter((id) => id !== authorId);

/** Whom the posts of a topic were told when they were written. */
export const toldOfTopic = async (deps: Deps, topicId: string): Promise<{ to: string; postId: string }[]> =>
  (await writtenIn(deps, topicId, () => true, MOST_SEARCHED)).flatMap((post) =>
    toldAtFirst(post).map((to) => ({ to, postId: post.postId })),
  );

/** What somebody was told of a post before an event of its stream. */
export interface ToldOfPost {
  /** Whose post it answers. */
  readonly answered: string | null;
  /** Who was mentioned just before the event. */
  readonly mentioned: readonly string[];
  /** Who was answered or ever mentioned. */
  readonly told: readonly string[];
}

/** @param before revision of the event */
export const toldOfPost = async (
  { topicId, postId, before }: { readonly topicId: string; readonly postId: string; readonly before: bigint },
  deps: Deps,
): Promise<ToldOfPost> => {
  const [written] = await writtenIn(deps, topicId, (post) => post.postId === postId, 1);
  const stored = await deps.store.read(streamName(forumPost.category, postId));
  const edits = (await deps.codec.decode<Recorded<ForumPostEvent>>(stored)).flatMap((event) =>
    event.type === 'ForumPostEdited' && event.revision < before ? [event.data.mentions] : [],
  );
  return {
    answered: written?.replyTo?.authorId ?? null,
    mentioned: edits.at(-1) ?? written?.mentions ?? [],
    told: [...new Set([...(written ? toldAtFirst(written) : []), ...edits.flat()])],
  };
};
