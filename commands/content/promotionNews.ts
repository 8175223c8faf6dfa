/**
 * A promotion is told to everybody who consents to marketing, some at a time: each cue tells the next people, and sets the
 * cue of those after them. So it goes on where it was after a crash, and ends with the promotion.
 */

import { Type } from '@sinclair/typebox';
import { type OpenPost, post, postStateAt, textIn } from '../../domain/content/post.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { Nullable, Uuid } from '../../domain/core/schema.ts';
import { PromoCodeText } from '../../domain/promotions/promoCode.ts';
import { NIL_ID } from '../../infra/ids.ts';
import { consentingPeople } from '../consents/audience.ts';
import type { CoreDeps } from '../core/deps.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import { notification, setCue } from '../core/notification.ts';

/** Stored: never renamed. */
const NAME = 'promotion_published';
const WORTH_MS = 3 * DAY_MS;
/** People of one cue: what they are told is written in one transaction. */
const AT_ONCE = 200;

/** The promotion, as long as everybody can see it. */
const shownPromotion = async (
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
  postId: string,
  at: string,
): Promise<OpenPost | undefined> => {
  const { state } = await aggregates.load(post, postId);
  if (state.status !== 'open' || state.kind !== 'promotion') return undefined;
  return postStateAt(state.content, at) === 'published' ? state : undefined;
};

const withCode = (title: string, code: string): string => `${title}. ${code}`;

/** Once a person and promotion, however often that is published. */
const promotionPublished = notification(NAME, {
  kind: 'marketing',
  urgency: 'normal',
  worthMs: WORTH_MS,
  params: Type.Object({
    post_id: Uuid,
    /** A title that is not translated is told in the other language. */
    title_ru: Type.String(),
    title_en: Type.String(),
    promo_code: Nullable(PromoCodeText),
  }),
  on: {
    PostPublished: ({ streamId: postId, at: dueAt }) => ({ about: { postId }, dueAt }),
  },
  find: async ({ postId = '', after = NIL_ID }, { deps, at, eventAt, correlationId }) => {
    const promotion = await shownPromotion(deps, postId, at);
    if (!promotion) return [];
    const { texts, promoCode } = promotion.content;
    const people = await consentingPeople(deps, 'marketing', after, AT_ONCE);
    const last = people[AT_ONCE - 1];
    // Before these people are told: a crash in between repeats both.
    if (last !== undefined) {
      const about = { postId, after: last };
      const key = `${postId} ${eventAt} ${last}`;
      await setCue(deps.jobs, { correlationId }, { name: NAME, key, about, eventAt, dueAt: at });
    }
    const params = {
      post_id: postId,
      title_ru: textIn(texts, 'ru').title,
      title_en: textIn(texts, 'en').title,
      promo_code: promoCode,
    };
    return people.map((to) => ({ to, key: postId, params }));
  },
  text: {
    ru: ({ title_ru, promo_code }) => ({
      title: 'Новая акция',
      body: promo_code === null ? title_ru : withCode(title_ru, `Промокод: ${promo_code}`),
    }),
    en: ({ title_en, promo_code }) => ({
      title: 'New offer',
      body: promo_code === null ? title_en : withCode(title_en, `Promo code: ${promo_code}`),
    }),
  },
  link: ({ post_id }) => `/promotions/${post_id}`,
  mail: async ({ post_id }, language, { aggregates }) => {
    const { state } = await aggregates.load(post, post_id, FOR_QUOTE);
    const { summary } = state.status === 'open' ? textIn(state.content.texts, language) : { summary: '' };
    return { paragraphs: summary === '' ? [] : [summary], attachments: [] };
  },
});

export const promotionNotifications = [promotionPublished];
