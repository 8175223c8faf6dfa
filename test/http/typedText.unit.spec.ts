import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typedLine, typedLines } from '../../infra/typedText.ts';

describe('what people type', () => {
  it.each([
    ['Anna\r\nBcc: x@y.test', 'Anna Bcc: x@y.test'],
    ['Anna\u2028Orlova\u0085', 'Anna Orlova'],
    ['Hotel\u202egnp.exe', 'Hotelgnp.exe'],
    ['\u2066Grand\u2069 \u200fHotel\u061c', 'Grand Hotel'],
    ['An\u200bna\u00ad\ufeff\u2060', 'Anna'],
    ['An\u200dna', 'Anna'],
    ['bell\u0007 \u001b[31mred\u009b', 'bell [31mred'],
    [' \u00a0Anna\t', 'Anna'],
    ['e\u0301', 'é'],
    ['и\u0306', 'й'],
    ['👩‍👩‍👧‍👦 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣', '👩‍👩‍👧‍👦 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣'],
    ['می‌خواهم', 'می‌خواهم'],
    ['क्‍ष', 'क्‍ष'],
    ['a\u{e0041}b\ufe0f', 'ab'],
    ['\u200b\u2060 ', ''],
    ['ภาษา\u200bไทย', 'ภาษา\u200bไทย'],
    ['ខ្ញុំ\u200bស្រឡាញ់', 'ខ្ញុំ\u200bស្រឡាញ់'],
    ['Thai\u200b ไทย\u200b', 'Thai ไทย'],
    ['می\u064e\u200cخواهم', 'می\u064e\u200cخواهم'],
    ['葛\u{e0100}城', '葛\u{e0100}城'],
    ['a\u{e0100}', 'a'],
    ['ᠠ\u180b', 'ᠠ\u180b'],
    ['👩🏽‍❤️‍💋‍👨🏻 🧑‍🦰 🏳️‍🌈 🇫🇷', '👩🏽‍❤️‍💋‍👨🏻 🧑‍🦰 🏳️‍🌈 🇫🇷'],
    ['🏴\u{e0068}\u{e0069}\u{e0064}\u{e0064}\u{e0065}\u{e006e}\u{e0074}\u{e0065}\u{e0078}\u{e0074}\u{e007f}', '🏴'],
    ['\u2803\u2800\u2811', '\u2803\u2800\u2811'],
  ])('%j becomes the line %j', (typed, line) => {
    expect(typedLine(typed)).toBe(line);
  });

  it.each([
    ...[
      '\u3164',
      '\uffa0',
      '\u115f\u1160',
      '\u2800',
      '\u180e',
      '\u034f',
      '\u00ad',
      '\u{1d159}',
      '\u{1d173}',
      '\u{e0041}\u{e0042}',
    ],
    ...['\u200b', '\u2060', '\u202e', '\u200d', '\ufe0f', '\u2066 \u2069', '\u3000', '\u2800\n\u3164', ' \n\t\u2028'],
  ])('%j shows nothing and becomes empty, as a line and as lines', (typed) => {
    for (const text of [typed, `${typed}\n${typed}`]) expect([typedLine(text), typedLines(text)]).toEqual(['', '']);
  });

  it('keeps its lines where it may have several', () => {
    expect(typedLines('one\r\ntwo\rthree\u2029\n\tfour\u202e\u0000')).toBe('one\ntwo\nthree\n\n four');
  });

  it('never has a control, a bidi control or a line break in a line, and is not changed a second time', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\r', '\n', '\u202e', '\u200d', '\u200b', '\ufe0f', '👩', 'é', '\u0301'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(text, (typed) => {
        const [line, lines] = [typedLine(typed), typedLines(typed)];
        expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
        expect(lines.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
        expect(typedLine(line)).toBe(line);
        expect(typedLines(lines)).toBe(lines);
      }),
    );
  });
});
