/**
 * Phone numbers, by the numbering plans of all countries (`libphonenumber-js`, the metadata of Google's libphonenumber).
 * They are stored in E.164: `+` with the country code and the number, as they are dialled from abroad.
 */
import parsePhoneNumber from 'libphonenumber-js/max';

/** Marks that come along when a number is copied, and the spellings of `+` that lead numbers in links and on paper. */
const tidied = (text: string): string =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '')
    .trim()
    .replace(/^tel:/i, '')
    .replace(/^\(\s*(\+|00)\s*(\d+)\s*\)/, '+$2')
    .replace(/^00/, '+');

/** Digits and signs of plus of other scripts: a number that looks like another one is not guessed. */
const OTHER_DIGITS = /(?![0-9])\p{Nd}|[\uff0b\ufe62]/u;

/** @returns the number in E.164; null: it is none with a country code, or has an extension, which nobody can be sent an SMS at */
export const phoneNumber = (text: string): string | null => {
  if (OTHER_DIGITS.test(text)) return null;
  const found = parsePhoneNumber(tidied(text), { extract: false });
  return found?.isValid() && found.ext === undefined ? found.number : null;
};
