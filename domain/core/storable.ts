/** Texts that can be stored: PostgreSQL takes neither U+0000 nor half of a character that UTF-16 writes in two parts. */

export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** The text without what cannot be stored. */
export const storableText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/**
 * The beginning of a text: at most so many UTF-16 units, and so at most so many characters. A character of two units is
 * never cut in half.
 */
export const beginningOf = (text: string, mostUnits: number): string =>
  text.length > mostUnits ? text.slice(0, mostUnits).replace(/[\ud800-\udbff]$/, '') : text;

const hasStorableTexts = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorable(value);
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(hasStorableTexts);
  return Object.entries(value).every(([name, inner]) => isStorable(name) && hasStorableTexts(inner));
};

const withTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return storableText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withTexts);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storableText(name), withTexts(inner)]));
};

/** The same JSON value, with texts that can be stored: values, and names of values. */
export const storable = <T>(value: T): T => (hasStorableTexts(value) ? value : (withTexts(value) as T));
