/** What is recommended to a person, and why. */
import { type Static, Type } from '@sinclair/typebox';
import type { PostLanguage } from '../../domain/content/post.ts';
import { toMajor } from '../../domain/core/money.ts';
import { rounded } from '../../domain/core/numbers.ts';
import { Currency, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { RecommendedKind as Kind, type RecommendedKind, recommendedKinds } from '../../domain/recommendations/item.ts';
import { type Reason, reasonCodes, TITLE, textOf } from '../../domain/recommendations/reasons.ts';
import { bookings } from '../../projections/bookings/bookings.ts';
import { titlesById } from '../../projections/catalog/titles.ts';
import { listingModels, priceUnits } from '../../projections/recommendations/listings.ts';
import { recommendedTo, type Shown } from '../../projections/recommendations/recommendedTo.ts';
import { rated } from '../catalog/listingWire.ts';
import { datesOf, stayQuery } from '../catalog/stays.ts';
import { langQuery, languageHeader, languageOf } from '../content/language.ts';
import type { App } from '../http/app.ts';
import { refuseQuery } from '../http/errors.ts';
import { route } from '../http/route.ts';

const MOST = 50;
const USUAL = 10;

const Price = Type.Object(
  {
    amount: Type.Number({ minimum: 0 }),
    amount_minor: Minor,
    currency: Currency,
    per: OneOf(priceUnits, { description: '`guest`: the average bill of a restaurant.' }),
  },
  { $id: 'RecommendedPrice' },
);
const Recommendation = Type.Object(
  {
    kind: Kind,
    id: { ...Uuid, description: 'Of the listing or slope.' },
    title: Type.String(),
    city: Nullable(Type.String({ description: 'null for a slope.' })),
    image_url: Nullable(Type.String()),
    ...rated,
    price: {
      ...Nullable(Price),
      description: 'The lowest price; of a hotel with dates, the average night of the stay.',
    },
    reasons: Type.Array(
      Type.Object({
        code: OneOf(reasonCodes),
        text: Type.String({ description: 'In the language of the reply, without a full stop.' }),
      }),
      { minItems: 1, description: 'The strongest first.' },
    ),
  },
  { $id: 'Recommendation' },
);

const query = Type.Object({
  kinds: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Comma-separated: ${recommendedKinds.map((kind) => `\`${kind}\``).join(', ')}. All by default.`,
      examples: ['tour,instructor'],
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, default: USUAL })),
  check_in: Type.Optional({ ...stayQuery.check_in, description: 'The first date of the visit.' }),
  check_out: Type.Optional({ ...stayQuery.check_out, description: 'The date of departure.' }),
  guests: stayQuery.guests,
  ...langQuery,
});

const isKind = (text: string): text is RecommendedKind => recommendedKinds.some((kind) => kind === text);
/** @throws HttpError 422 */
const kindsOf = (text: string | undefined): readonly RecommendedKind[] => {
  if (text === undefined) return recommendedKinds;
  const asked = text.split(',');
  if (!asked.every(isKind)) refuseQuery('kinds', 'enum', `must name only ${recommendedKinds.join(', ')}`);
  return asked.filter(isKind);
};

const becauseOf = (reason: Reason): readonly string[] => (reason.code === 'booked_together' ? [reason.because] : []);

/** Puts the reasons into words. */
const worder = async (
  { db, reasonPhrasing }: Pick<App, 'db' | 'reasonPhrasing'>,
  shown: readonly Shown[],
  lang: PostLanguage,
): Promise<(reason: Reason) => string> => {
  const titles = await titlesById(
    db,
    shown.flatMap(({ reasons }) => reasons.flatMap(becauseOf)),
  );
  return (reason) => {
    const text = reasonPhrasing.phrased(textOf(reason, lang), lang);
    const [because] = becauseOf(reason);
    return because === undefined ? text : text.replace(TITLE, () => titles.get(because)?.title ?? '…');
  };
};

const shownAs = (
  { item, title, city, imageUrl, currency, price, reasons }: Shown,
  wordsFor: (reason: Reason) => string,
): Static<typeof Recommendation> => ({
  ...{ kind: item.kind, id: item.id, title, city, image_url: imageUrl },
  rating: item.rating ? rounded(item.rating.sum / item.rating.reviews, 2) : null,
  reviews_count: item.rating?.reviews ?? 0,
  price:
    price && currency
      ? { amount: toMajor(price.minor, currency), amount_minor: price.minor, currency, per: price.per }
      : null,
  reasons: reasons.map((reason) => ({ code: reason.code, text: wordsFor(reason) })),
});

const recommendationsRoute = route('GET /api/v1/ai/recommendations', {
  id: 'listRecommendations',
  access: 'user',
  summary: 'List recommendations for the caller',
  description:
    'Hotels, tours, restaurants, transfers, instructors and slopes, the best first, in a diverse order, each with its reasons. What the caller has booked is used only with a consent to `recommendations`; without it, and for somebody who has booked nothing, the reply has what is popular now and in the season. With dates, it has only what can be had on them. What the caller has booked already and what the caller sells is left out.',
  query,
  headers: languageHeader,
  reply: Type.Object(
    {
      personal: Type.Boolean({ description: 'Whether the caller consents to recommendations from what they booked.' }),
      data: Type.Array(Recommendation),
    },
    { $id: 'Recommendations' },
  ),
  reads: [bookings, ...listingModels],
  errors: ['invalid'],
  handle: async ({ query: asked, caller, context: { at }, request }, app) => {
    const { kinds, limit = USUAL, guests = 1, lang } = asked;
    const [dates, language] = [datesOf(asked, at), languageOf(lang, request)];
    const named = kindsOf(kinds);
    const personal = await app.mayRecommend(caller.id);
    const shown = await recommendedTo(app, {
      ...{ person: caller.id, isPersonal: personal, kinds: named, dates, guests, limit, at },
    });
    const wordsFor = await worder(app, shown, language);
    return { personal, data: shown.map((each) => shownAs(each, wordsFor)) };
  },
});

export const recommendationRoutes = [recommendationsRoute];
