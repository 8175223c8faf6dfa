/**
 * What people type, without what does harm where it is shown: controls, line breaks in a line, characters that reorder the
 * text around them (bidi), and invisible ones, by which two texts that look the same differ. A text that would show nothing
 * becomes empty, and is then refused wherever a text is needed. What belongs to emoji and to the writing of a language stays.
 */

/** Where a line ends, in any notation. */
const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
/** Emoji: what joins their parts, the form of one sign, and the tags of the flag of a region. */
const JOINED = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f';
/** Scripts whose letters change their form by whether they are joined. Marks that several scripts share count as each of them. */
const SHAPED = [
  'Arab',
  'Syrc',
  'Mong',
  'Nkoo',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
]
  .concat(['Khmr', 'Mymr', 'Tibt'])
  .map((script) => `\\p{scx=${script}}`)
  .join('');
/** Scripts without spaces between words: an invisible one says where a line may end. */
const UNSPACED = '\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}';
/** Characters that show nothing by themselves and change how those beside them are read. Anywhere else they are removed. */
const MEANT = [
  `(?<=[${JOINED}])\\u200d(?=\\p{Extended_Pictographic})`,
  `(?<=[${SHAPED}])[\\u200c\\u200d](?=[${SHAPED}])`,
  `(?<=[${UNSPACED}])\\u200b(?=[${UNSPACED}])`,
  '(?<=[\\p{Extended_Pictographic}#*0-9])[\\ufe0e\\ufe0f]',
  '(?<=\\u{1f3f4})[\\u{e0061}-\\u{e007a}\\u{e0030}-\\u{e0039}]{3,6}\\u{e007f}',
  '(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{sc=Mong})[\\u180b-\\u180f]',
].join('|');
const HIDDEN = '[\\p{Cc}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';
const unseen = new RegExp(`(${MEANT})|(?!\\n)${HIDDEN}`, 'gu');

/** Letters and signs that have a width and no ink, where they are all there is: blanks of Braille, music and other scripts. */
const BLANK = '\\u2800\\u{1d159}\\u{13441}\\u{13442}\\u{16fe4}';
const SHOWN = new RegExp(`[^\\s${BLANK}\\p{Cc}\\p{Default_Ignorable_Code_Point}]`, 'u');

/** The text in NFC without what is not seen; empty when nothing of it is. */
const visible = (text: string): string => {
  const kept = text.replace(unseen, (_, meant: string | undefined) => meant ?? '').normalize('NFC');
  return SHOWN.test(kept) ? kept : '';
};

/** A text of several lines, which end with `\n`, in NFC. Tabs become spaces. Empty when it shows nothing. */
export const typedLines = (text: string): string => visible(text.replace(LINE_BREAK, '\n').replaceAll('\t', ' '));

/** A text of one line in NFC: line breaks become spaces, and there is none around it. Empty when it shows nothing. */
export const typedLine = (text: string): string => visible(text.replace(LINE_BREAK, ' ').replaceAll('\t', ' ')).trim();
