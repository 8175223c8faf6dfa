/**
 * What people type, without what does harm where it is shown: controls, line breaks in a line, characters that reorder the
 * text around them (bidi), and invisible ones, by which two texts that look the same differ.
 */

/** Where a line ends, in any notation. */
const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
/** Joiners belong to emoji and to scripts whose letters change their form; variation selectors and tags to emoji. */
const JOINED = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f';
const SHAPED =
  '\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Khmr}';
const MEANT = [
  `(?<=[${JOINED}])\\u200d(?=\\p{Extended_Pictographic})`,
  `(?<=[${SHAPED}])[\\u200c\\u200d](?=[${SHAPED}])`,
  '(?<=[\\p{Extended_Pictographic}#*0-9])[\\ufe0e\\ufe0f]',
  '(?<=\\u{1f3f4})[\\u{e0061}-\\u{e007a}\\u{e0030}-\\u{e0039}]+\\u{e007f}',
].join('|');
const HIDDEN = '[\\p{Cc}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';
const unseen = new RegExp(`(${MEANT})|(?!\\n)${HIDDEN}`, 'gu');

const visible = (text: string): string =>
  text.replace(unseen, (_, meant: string | undefined) => meant ?? '').normalize('NFC');

/** A text of several lines, which end with `\n`, in NFC. Tabs become spaces. */
export const typedLines = (text: string): string => visible(text.replace(LINE_BREAK, '\n').replaceAll('\t', ' '));

/** A text of one line in NFC: line breaks become spaces, and there is none around it. */
export const typedLine = (text: string): string => visible(text.replace(LINE_BREAK, ' ').replaceAll('\t', ' ')).trim();
