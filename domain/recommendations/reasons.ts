/** Why something is recommended, in words. */
import type { PostLanguage } from '../content/post.ts';

export const reasonCodes = [
  'booked_together',
  'similar',
  'popular',
  'season',
  'rated',
  'free',
  'offered',
  'open',
  'groomed',
  'variety',
] as const;
type ReasonCode = (typeof reasonCodes)[number];

export type Reason =
  /** Other guests who booked `because`, as this person did, booked it too. */
  | { readonly code: 'booked_together'; readonly because: string }
  /** It has features that the person likes, the best liked first. */
  | { readonly code: 'similar'; readonly features: readonly string[] }
  | { readonly code: 'season'; readonly month: number }
  | { readonly code: 'rated'; readonly average: number }
  | { readonly code: Exclude<ReasonCode, 'booked_together' | 'similar' | 'season' | 'rated'> };

/** Stands in a text for what the person booked: whoever phrases the text anew does not learn it. */
export const TITLE = '{title}';
/** Features that one text names. */
const NAMED = 3;

type Words = Readonly<Record<PostLanguage, string>>;

const FEATURES: Readonly<Record<string, Words>> = {
  'sport:ski': { ru: 'лыжи', en: 'skiing' },
  'sport:snowboard': { ru: 'сноуборд', en: 'snowboarding' },
  'sport:freeride': { ru: 'фрирайд', en: 'freeride' },
  'sport:cross_country': { ru: 'беговые лыжи', en: 'cross-country skiing' },
  'sport:telemark': { ru: 'телемарк', en: 'telemark' },
  'sport:snowmobile': { ru: 'снегоход', en: 'snowmobiles' },
  'sport:snowshoe': { ru: 'снегоступы', en: 'snowshoes' },
  'sport:hike': { ru: 'пешие походы', en: 'hiking' },
  'sport:sightseeing': { ru: 'экскурсии', en: 'sightseeing' },
  'level:1': { ru: 'для начинающих', en: 'for beginners' },
  'level:2': { ru: 'средний уровень', en: 'intermediate level' },
  'level:3': { ru: 'сложный уровень', en: 'advanced level' },
  'level:4': { ru: 'для экспертов', en: 'for experts' },
  'vehicle:economy': { ru: 'эконом-класс', en: 'economy class' },
  'vehicle:comfort': { ru: 'комфорт-класс', en: 'comfort class' },
  'vehicle:business': { ru: 'бизнес-класс', en: 'business class' },
  'vehicle:minivan': { ru: 'минивэн', en: 'minivan' },
  'vehicle:minibus': { ru: 'микроавтобус', en: 'minibus' },
  'vehicle:bus': { ru: 'автобус', en: 'bus' },
  'vehicle:offroad': { ru: 'внедорожник', en: 'off-road vehicle' },
};
/** Of these, the words are the sellers' own. */
const OWN_WORDS = ['cuisine', 'amenity'];

/** The word for a feature; undefined for one that is not named, such as a price. */
const wordOf = (feature: string, lang: PostLanguage): string | undefined => {
  const [name = '', value = ''] = feature.split(/:(.*)/s);
  if (name === 'stars') return `${value}★`;
  return OWN_WORDS.includes(name) ? value : FEATURES[feature]?.[lang];
};

const similar = (features: readonly string[], lang: PostLanguage): string => {
  const named = features.flatMap((feature) => wordOf(feature, lang) ?? []).slice(0, NAMED);
  const list = named.length > 0 ? `: ${named.join(', ')}` : '';
  return lang === 'ru' ? `Похоже на то, что вы выбирали${list}` : `Like what you chose before${list}`;
};

const MONTHS: Readonly<Record<PostLanguage, readonly string[]>> = {
  ru: 'январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
};

const PLAIN: Readonly<Record<Exclude<Reason, { readonly code: 'similar' | 'season' | 'rated' }>['code'], Words>> = {
  booked_together: {
    ru: `Те, кто бронировал «${TITLE}», выбирали и это`,
    en: `Guests who booked “${TITLE}” also chose this`,
  },
  popular: { ru: 'Сейчас это часто бронируют', en: 'Booked often these days' },
  free: { ru: 'Свободно на ваши даты', en: 'Free on your dates' },
  offered: { ru: 'Работает в ваши даты', en: 'Open on your dates' },
  open: { ru: 'Сейчас открыто', en: 'Open now' },
  groomed: { ru: 'Недавно подготовлена ратраком', en: 'Groomed recently' },
  variety: { ru: 'Стоит присмотреться', en: 'Worth a look' },
};

/** The sentence for a reason, without a full stop. That of `booked_together` has the place of a title. */
export const textOf = (reason: Reason, lang: PostLanguage): string => {
  switch (reason.code) {
    case 'similar':
      return similar(reason.features, lang);
    case 'season': {
      const month = MONTHS[lang][reason.month] ?? '';
      return lang === 'ru' ? `Часто бронируют в ${month}` : `Often booked for ${month}`;
    }
    case 'rated': {
      const average = reason.average.toFixed(1);
      return lang === 'ru' ? `Гости оценили на ${average.replace('.', ',')}` : `Guests rated it ${average}`;
    }
    default:
      return PLAIN[reason.code][lang];
  }
};
