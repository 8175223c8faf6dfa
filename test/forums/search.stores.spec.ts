/** The search of posts: what it finds, in which order, and what a page costs. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import { applyAtOnce, shareOut } from '../../projections/engine/applyEvents.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { topicActivity } from '../../projections/forums/activity.ts';
import { everLonger, periodsOf } from '../../projections/forums/periods.ts';
import { forumPosts } from '../../projections/forums/posts.ts';
import { searchPosts } from '../../projections/forums/search.ts';
import { forumTopics } from '../../projections/forums/topics.ts';
import { groups } from '../../projections/modules.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { blocksRead } from '../kit/blocksRead.ts';
import { happened } from '../kit/projected.ts';
import { freshStores } from '../kit/stores.ts';
import { ANNA, written } from './forumFixtures.ts';

const NOW = '2027-06-15T10:00:00.000Z';
const TOPICS = 40;
const [SKIING, LOST] = [id(10), id(11)];

/** A post of a forum in which somebody writes every so often, and of it the `nth` before now. */
interface Post {
  readonly id: string;
  readonly nth: number;
  readonly topic: number;
  readonly at: string;
  readonly body: string;
  readonly isGone: boolean;
}
const topicOf = (topic: number) => ({
  id: id(5_000 + topic),
  title: topic === 3 ? 'Avalanche' : 'Powder',
  category: topic % 10 === 7 ? LOST : SKIING,
  isRemoved: topic === 5,
});

/** Posts say `snow`; one of a thousand `yeti`, those of long ago `rope`. */
const bodyOf = (nth: number, at: string): string =>
  ['Snow', ...(nth % 1_000 === 999 ? ['yeti'] : []), ...(at < '2023' ? ['rope'] : [])].join(' ');

const forum = (count: number, everyMs: number): Post[] =>
  Array.from({ length: count }, (_, nth) => {
    const at = addMs(NOW, -nth * everyMs);
    return { id: id(100_000 + nth), nth, topic: nth % TOPICS, at, body: bodyOf(nth, at), isGone: nth % 9 === 4 };
  });

const models = [forumPosts, forumTopics, topicActivity];
const fill = async (pool: Pool, posts: readonly Post[]) => {
  const events: Recorded[] = [];
  const seqs = new Map<number, number>();
  for (const post of posts.toReversed()) {
    const { id: stream, title, category, isRemoved } = topicOf(post.topic);
    const seq = (seqs.get(post.topic) ?? 0) + 1;
    seqs.set(post.topic, seq);
    const add = (event: { readonly type: string; readonly data: object }) =>
      events.push(happened('forumTopic', stream, event as never, post.at));
    if (seq === 1) add({ type: 'ForumTopicStarted', data: { authorId: ANNA, categoryId: category, title } });
    add(written({ postId: post.id, seq, body: post.body }));
    if (seq === 1 && isRemoved) add({ type: 'ForumTopicRemoved', data: { by: ANNA, reason: 'Rude' } });
    if (post.isGone)
      events.push(happened('forumPost', post.id, { type: 'ForumPostRemoved', data: {} } as never, post.at));
  }
  await inTransaction(pool, async (client) => {
    for (const { name } of models) await client.query(`truncate read.${name}`);
    const shareOf = shareOut(models, events);
    for (const model of models) await applyAtOnce(client, { model, table: model.name }, shareOf(model), new Map());
  });
  for (const { name } of models) await pool.query(`vacuum analyze read.${name}`);
};

let pool: Pool;
beforeAll(async () => {
  ({ pool } = await freshStores());
  await ensureTables(pool, groups);
});

interface Asked {
  readonly q: string;
  readonly categoryId?: string;
}
const idsOf = (rows: readonly { readonly text: string }[]): string[] => rows.map(({ text }) => JSON.parse(text).id);

describe('a forum of eight years', () => {
  const posts = forum(4_000, 0.75 * DAY_MS);
  beforeAll(() => fill(pool, posts));
  const firstOf = (topic: number) => posts.findLast((post) => post.topic === topic)?.id;

  const searches: readonly (readonly [string, Asked, (post: Post) => boolean])[] = [
    ['a word that everybody writes', { q: 'snow' }, () => true],
    ['the beginning of such a word', { q: 'SNO' }, () => true],
    ['such a word in one category', { q: 'snow', categoryId: LOST }, ({ topic }) => topicOf(topic).category === LOST],
    ['a word that few write', { q: 'yeti' }, ({ body }) => body.includes('yeti')],
    ['a word that many wrote long ago', { q: 'rope' }, ({ body }) => body.includes('rope')],
    ['several words', { q: 'rope snow' }, ({ body }) => body.includes('rope')],
    ['a word of a title', { q: 'avalanche' }, ({ id }) => id === firstOf(3)],
    ['a word that nobody writes', { q: 'beach' }, () => false],
    ['no word', { q: '?' }, () => false],
  ];
  it.each(searches)('%s: all posts that everybody can read are found, the newest first', async (_, asked, has) => {
    const expected = posts.filter((post) => has(post) && !post.isGone && !topicOf(post.topic).isRemoved);
    const found: string[] = [];
    for (let page = 1; ; page += 1) {
      const { rows, total } = await searchPosts(readDb(pool), { ...asked, at: NOW, page, perPage: 100 });
      found.push(...idsOf(rows));
      if (total.isAtLeast) expect(total.count).toBeLessThan(expected.length);
      else expect(total.count).toBe(expected.length);
      if (rows.length < 100) break;
    }
    expect(found).toEqual(expected.map(({ id }) => id));
  });
});

it('a page costs what it shows, however many posts have the words', async () => {
  const searches: readonly Asked[] = [{ q: 'snow' }, { q: 'snow', categoryId: LOST }, { q: 'yeti' }];
  const cost = async (count: number) => {
    await fill(pool, forum(count, 2 * HOUR_MS));
    const costs: number[] = [];
    for (const asked of searches) {
      const search = (db: ReadDb) => searchPosts(db, { ...asked, at: NOW, page: 1, perPage: 20 });
      costs.push(await blocksRead(pool, search));
    }
    return costs;
  };
  const few = await cost(2_000);
  for (const [n, most] of (await cost(20_000)).entries())
    expect(most, JSON.stringify(searches[n])).toBeLessThan((few[n] as number) * 1.3 + 100);
});

it('longer periods have all that shorter ones have, and begin tomorrow, as the clock of somebody may', () => {
  for (const at of [NOW, '2027-12-31T23:59:59.000Z', '2028-02-29T00:00:00.000Z', '2027-01-01T00:00:00.000Z']) {
    const longer = everLonger(at);
    expect(longer.at(-1)).toBeUndefined();
    let reached = addMs(at, DAY_MS);
    for (const periods of longer) {
      const has = (instant: string) =>
        periods === undefined ||
        periodsOf(instant)
          .split(' ')
          .some((period) => periods.includes(period));
      const before = reached;
      for (let ms = -DAY_MS; has(addMs(at, -ms)) && ms < 5_000 * DAY_MS; ms += 12 * HOUR_MS) reached = addMs(at, -ms);
      expect(Date.parse(reached)).toBeLessThan(Date.parse(before));
      // Nothing that is in it is older than something that is not.
      for (let days = 1; days < 30; days += 1) if (periods) expect(has(addMs(reached, -days * DAY_MS))).toBe(false);
    }
  }
});
