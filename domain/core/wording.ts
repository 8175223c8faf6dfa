/** Dates, amounts and numbers as people read them in their language. */
import { LRUCache } from 'lru-cache';
import { exponentOf, toMajor } from './money.ts';
import type { NotificationLanguage } from './notification.ts';

const LOCALES: Readonly<Record<NotificationLanguage, string>> = { ru: 'ru-RU', en: 'en-GB' };

/** Making one takes much longer than using it, and names of zones and currencies are not bounded by themselves. */
const dates = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });
const amounts = new LRUCache<string, Intl.NumberFormat>({ max: 200 });

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;
/** Hours from 00 to 23. */
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'shortOffset' } as const;

const kept = <T extends object>(cache: LRUCache<string, T>, key: string, make: () => T): T => {
  const found = cache.get(key) ?? make();
  cache.set(key, found);
  return found;
};

const dayIn = (language: NotificationLanguage, timeZone: string): Intl.DateTimeFormat =>
  kept(dates, `day ${language} ${timeZone}`, () => new Intl.DateTimeFormat(LOCALES[language], { timeZone, ...DAY }));

/**
 * `12 December 2026, 15:00 (GMT+3)` by the clocks of an IANA time zone. With the year, because what is read may be old, and
 * with the zone, because its reader may be in another one.
 */
export const dayAndTime = (language: NotificationLanguage, timeZone: string, instant: string): string => {
  const at = new Date(instant);
  const clock = kept(
    dates,
    `time ${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(LOCALES[language], { timeZone, ...TIME }),
  );
  const parts = clock.formatToParts(at);
  const of = (...types: readonly string[]) =>
    parts.flatMap(({ type, value }) => (types.includes(type) ? [value] : [])).join(':');
  return `${dayIn(language, timeZone).format(at)}, ${of('hour', 'minute')} (${of('timeZoneName')})`;
};

/** `12 December 2026`. @param date `YYYY-MM-DD` */
export const dayText = (language: NotificationLanguage, date: string): string =>
  dayIn(language, 'UTC').format(new Date(`${date}T00:00:00Z`));

/** `November 2026` by the clocks of an IANA time zone. */
export const monthText = (language: NotificationLanguage, timeZone: string, instant: string): string =>
  kept(
    dates,
    `month ${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(LOCALES[language], { timeZone, month: 'long', year: 'numeric' }),
  ).format(new Date(instant));

/**
 * `4 500,50 ₽`: the digits that ISO 4217 gives the currency, or none where all are zero. CLDR, which `Intl` follows, has
 * fewer for some: an amount of 999.50 would read as 1,000. @param minor whole minor units
 */
export const amountText = (language: NotificationLanguage, minor: number, currency: string): string =>
  kept(
    amounts,
    `${language} ${currency}`,
    () =>
      new Intl.NumberFormat(LOCALES[language], {
        style: 'currency',
        currency,
        minimumFractionDigits: exponentOf(currency),
        maximumFractionDigits: exponentOf(currency),
        trailingZeroDisplay: 'stripIfInteger',
      }),
  ).format(toMajor(minor, currency));

const plurals = new Intl.PluralRules('ru');

/** `1 сообщение`, `3 сообщения`, `5 сообщений`. */
export const countedRu = (count: number, one: string, few: string, many: string): string => {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { one, few };
  return `${count} ${forms[plurals.select(count)] ?? many}`;
};
