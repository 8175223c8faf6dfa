/** Dates, amounts and numbers as people read them in their language. */
import { LRUCache } from 'lru-cache';
import { toMajor } from './money.ts';
import type { NotificationLanguage } from './notification.ts';

const LOCALES: Readonly<Record<NotificationLanguage, string>> = { ru: 'ru-RU', en: 'en-GB' };

/** Making one takes much longer than using it, and names of zones and currencies are not bounded by themselves. */
const dates = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });
const amounts = new LRUCache<string, Intl.NumberFormat>({ max: 200 });

const kept = <T extends object>(cache: LRUCache<string, T>, key: string, make: () => T): T => {
  const found = cache.get(key) ?? make();
  cache.set(key, found);
  return found;
};

/** `12 December, 15:00` by the clocks of an IANA time zone. */
export const dayAndTime = (language: NotificationLanguage, timeZone: string, instant: string): string =>
  kept(
    dates,
    `${language} ${timeZone}`,
    () =>
      new Intl.DateTimeFormat(LOCALES[language], {
        timeZone,
        day: 'numeric',
        month: 'long',
        hour: '2-digit',
        minute: '2-digit',
      }),
  )
    .formatToParts(new Date(instant))
    // Between the date and the time, releases of ICU say "at", "в" or nothing.
    .map(({ type, value }, index, parts) => (type === 'literal' && parts[index + 1]?.type === 'hour' ? ', ' : value))
    .join('');

/** `12 December`. @param date `YYYY-MM-DD` */
export const dayText = (language: NotificationLanguage, date: string): string =>
  kept(
    dates,
    `day ${language}`,
    () => new Intl.DateTimeFormat(LOCALES[language], { timeZone: 'UTC', day: 'numeric', month: 'long' }),
  ).format(new Date(`${date}T00:00:00Z`));

/** `November 2026` by the clocks of an IANA time zone. */
export const monthText = (language: NotificationLanguage, timeZone: string, instant: string): string =>
  kept(
    dates,
    `month ${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(LOCALES[language], { timeZone, month: 'long', year: 'numeric' }),
  ).format(new Date(instant));

/** `4 500,50 ₽`. @param minor whole minor units */
export const amountText = (language: NotificationLanguage, minor: number, currency: string): string =>
  kept(
    amounts,
    `${language} ${currency}`,
    () =>
      new Intl.NumberFormat(LOCALES[language], {
        style: 'currency',
        currency,
        trailingZeroDisplay: 'stripIfInteger',
      }),
  ).format(toMajor(minor, currency));

const plurals = new Intl.PluralRules('ru');

/** `1 сообщение`, `3 сообщения`, `5 сообщений`. */
export const countedRu = (count: number, one: string, few: string, many: string): string => {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { one, few };
  return `${count} ${forms[plurals.select(count)] ?? many}`;
};
