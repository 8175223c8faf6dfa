/** The one form in which texts are searched, compared as words and sorted. */

/** Letters that stand for others in a search and that Unicode does not decompose. */
const SPELLED: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ς: 'σ' };
const IS_SPELLED = new RegExp(`[${Object.keys(SPELLED).join('')}]`, 'g');
const MARKS = /[\u0300-\u036f]/g;
/** и with a breve is a letter of its own; ё and е are one for those who search. */
const SHORT_I = /и\u0306/g;

/**
 * ` Мегёв ` → `мегев`: lower case, without accents, compatibility forms (full width) as usual letters, single spaces. й
 * stays another letter than и, as Russian readers expect. Folding twice changes nothing.
 */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(SHORT_I, 'й')
    .replace(MARKS, '')
    .replace(IS_SPELLED, (letter) => SPELLED[letter] ?? letter)
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .trim();

/** Each text in its form, between line breaks: whether a list has a text is whether this contains `listedText` of it. */
export const foldedList = (texts: readonly string[]): string => `\n${texts.map(foldedText).join('\n')}\n`;
export const listedText = (text: string): string => `\n${foldedText(text)}\n`;

/** The words of a text in their form, without what separates them. */
export const wordsIn = (text: string): string[] => foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
