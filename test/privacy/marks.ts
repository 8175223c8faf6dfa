/** Texts and numbers by which whatever a person writes is found again, wherever it went and in whatever form. */
import { fitsBik } from '../../domain/payments/bankAccount.ts';
import { isInn } from '../../domain/payments/taxDetails.ts';
import { formsOf } from '../kit/formsOf.ts';
import { below, randomFrom } from '../kit/random.ts';

export interface Marks {
  /** A short word: letters and digits. @param where it is written, to name it when it is found */
  word(where: string): string;
  /** A number that no other is: of ten digits or more, for up to 99 of them. */
  digits(length: number): string;
  phone(): string;
  /** A tax number with the right check digits. */
  inn(): string;
  /** An account of the bank with this BIK. */
  account(bik: string): string;
  readonly lat: number;
  readonly lon: number;
  /** Every form of every mark contains one of these. */
  readonly forms: readonly string[];
  /** The same of numbers as programs store them. */
  readonly bytes: readonly Buffer[];
  /** Where words and texts were written. */
  readonly places: readonly string[];
  /** Where the marks that a text shows were written; empty: none. */
  foundIn(text: string): string[];
}

/** Eight digits of a number are as unlikely to occur by chance as one needs; five decimals of a coordinate are a metre. */
const DIGITS = 8;

const bytesOf = (number: number): Buffer[] => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number);
  return [bytes, Buffer.from(bytes).reverse()];
};

export const createMarks = (): Marks => {
  const random = randomFrom();
  const digitsOf = (count: number) => 10 ** (count - 1) + below(random, 9 * 10 ** (count - 1));
  const run = `zq${digitsOf(12).toString(16)}`;
  const stem = `9${digitsOf(DIGITS - 1)}`;
  const [lat, lon] = [17, 93].map((degrees) => degrees + digitsOf(7) / 10 ** 7) as [number, number];
  const places: string[] = [];
  let numbers = 0;

  const word = (where: string): string => `${run}n${places.push(where) - 1}e`;
  const digits = (length: number): string => {
    numbers += 1;
    return stem + String(numbers).padStart(length - DIGITS, '0');
  };
  const inn = (): string => {
    for (;;) {
      const start = digits(10);
      const fits = Array.from({ length: 100 }, (_, n) => start + String(n).padStart(2, '0')).find(isInn);
      if (fits) return fits;
    }
  };
  // Coordinates up to a metre: they may be rounded.
  const inDigits = [stem, ...[lat, lon].map((degrees) => degrees.toFixed(7).slice(0, -2))];
  const forms = [run, run.toUpperCase(), ...inDigits].flatMap(formsOf);
  return {
    word,
    digits,
    phone: () => `+7${digits(10)}`,
    inn,
    account: (bik) => {
      const start = digits(19);
      return [...'0123456789'].map((last) => start + last).find((number) => fitsBik(bik, number)) ?? start;
    },
    lat,
    lon,
    places,
    forms,
    bytes: [lat, lon].flatMap(bytesOf),
    foundIn: (text) => {
      const form = forms.find((one) => text.includes(one));
      if (form === undefined) return [];
      const named = [...text.matchAll(new RegExp(`${run}n(\\d+)e`, 'gi'))].map(([, n]) => places[Number(n)] ?? '?');
      const numbers = inDigits.filter((one) => text.includes(one)).map((one) => `a number with ${one}`);
      return [...new Set([...named, ...numbers, ...(named.length + numbers.length === 0 ? [`as ${form}`] : [])])];
    },
  };
};
