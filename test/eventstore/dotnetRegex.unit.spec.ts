/** Filters select the same events here as on EventStoreDB, whose regular expressions are .NET's, or are refused. */
import { describe, expect, it } from 'vitest';
import { toJavaScript } from '../../eventstore/embedded/dotnetRegex.ts';

describe('a regular expression of a filter', () => {
  it.each([
    ['^[^\\$].*', 'BookingCreated', true],
    ['^[^\\$].*', '$metadata', false],
    ['^(booking|hold)-', 'hold-1', true],
    ['^\\w+$', 'бронь', true],
    ['^[\\w-]+$', 'бронь-1', true],
    ['^\\W$', 'ж', false],
    ['^\\d+$', '٣', true],
    ['\\bцена\\b', 'x цена x', true],
    ['\\bцена\\b', 'xценаx', false],
    ['end$', 'end\n', true],
    ['end$', 'ends', false],
    ['^a.c$', 'a\rc', true],
    ['^a.c$', 'a\nc', false],
    ['^a\\sc$', 'a\uFEFFc', false],
    ['^\\p{Lu}\\p{L}+$', 'Жук', true],
    ['^[^\\p{L}]$', '1', true],
    ['a\\.b', 'a.b', true],
    ['a\\.b', 'axb', false],
    ['[.$]', '$', true],
    ['^(?<kind>a+)\\k<kind>$', 'aaaa', true],
  ])('%s on %j: %s, as in .NET', (source, text, matches) => {
    expect(toJavaScript(source).test(text)).toBe(matches);
  });

  it.each([
    '(',
    '\\Abooking',
    'booking\\z',
    'booking\\Z',
    '\\Gbooking',
    '(?i)booking',
    '(?>a+)b',
    '(?#note)a',
    "(?'name'a)",
    '(?<open-close>a)',
    '[a-z-[aeiou]]',
    '[\\W]',
    '[]a]',
    '[^]',
    '\\p{IsCyrillic}',
    '\\p{Script=Cyrillic}',
    '\\u{41}',
    '\\e',
  ])('%s is refused', (source) => {
    expect(() => toJavaScript(source)).toThrow(SyntaxError);
  });
});
