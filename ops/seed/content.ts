/** What the demo resort tells everybody: news, an event next Saturday, and a promotion with a promo code. */
import { createPost, type PostInput } from '../../commands/content/posts.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { createPromoCode } from '../../commands/promotions/promoCodes.ts';
import type { PostKind } from '../../domain/content/post.ts';
import { addDays, instantIn, todayIn, weekdayOf } from '../../domain/core/dates.ts';
import { type PromoTerms, usualTerms } from '../../domain/promotions/terms.ts';
import { CURRENCY, image, TIMEZONE } from './resort.ts';

const CODE = 'WELCOME10';

const terms: PromoTerms = {
  ...usualTerms,
  currency: CURRENCY,
  percentBps: 1_000,
  mostMinor: 300_000,
  firstBookingOnly: true,
};

type Sample = Pick<PostInput, 'texts'> & Partial<PostInput> & { readonly kind: PostKind };

const text = (title: string, summary: string, body: string) => ({ title, summary, body });

const samplesAt = (at: string): readonly Sample[] => {
  const today = todayIn(TIMEZONE, at);
  const saturday = [0, 1, 2, 3, 4, 5, 6].map((n) => addDays(today, n + 1)).find((day) => weekdayOf(day) === 'sat');
  const on = (time: string) => instantIn(TIMEZONE, saturday ?? today, time);
  return [
    {
      kind: 'news',
      texts: {
        ru: text('Открыт верхний сектор', 'Все трассы выше 2000 метров.', 'Подъёмники работают с 9:00 до 16:30.'),
        en: text('The upper sector is open', 'All slopes above 2,000 metres.', 'Lifts run from 9:00 to 16:30.'),
      },
    },
    {
      kind: 'promotion',
      promoCode: CODE,
      texts: {
        ru: text('Скидка на первое бронирование', '10 % по промокоду WELCOME10.', 'Не более 3000 рублей.'),
        en: text('A discount on your first booking', '10 % with the code WELCOME10.', 'At most 3,000 roubles.'),
      },
    },
    {
      kind: 'event',
      happening: {
        place: 'Южный склон',
        location: null,
        startsAt: on('18:00'),
        endsAt: on('22:00'),
        timezone: TIMEZONE,
      },
      texts: {
        ru: text('Ночное катание', 'Музыка и чай у подъёмника.', ''),
        en: text('Night skiing', 'Music and tea at the lift.', ''),
      },
    },
  ];
};

/** Safe to repeat. */
export const seedContent = async (
  deps: CommandDeps,
  contextFor: (...name: string[]) => CommandContext,
  at: string,
): Promise<void> => {
  await createPromoCode(deps, contextFor('promo code', CODE), CODE, terms);
  for (const { kind, ...sample } of samplesAt(at)) {
    const images = [image(`post-${kind}`, 'front')];
    const empty = { link: null, promoCode: null, happening: null, publishAt: at, expiresAt: null };
    await createPost(deps, contextFor('post', kind), kind, { ...empty, images, ...sample });
  }
};
