/** The look of e-mails: the same words in both forms, and no text that can become markup, a header or a link elsewhere. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MailContent } from '../../commands/mail/queue.ts';
import { oneLine, rendered } from '../../commands/mail/template.ts';

const RESORT = { publicUrl: 'https://resort.test', senderName: 'Курорт & Ко' };
const content = (over: Partial<MailContent> = {}): MailContent => ({
  subject: 'Ваша бронь',
  paragraphs: ['Первый абзац.', 'Второй\nна двух строках.'],
  link: { text: 'Открыть', path: '/bookings/1?a=b&c=d' },
  attachments: [],
  marketing: false,
  language: 'ru',
  ...over,
});

describe('an e-mail', () => {
  it('has its paragraphs and its link in both forms', () => {
    const { subject, text, html } = rendered(content(), RESORT, null);
    expect(subject).toBe('Ваша бронь');
    expect(text).toContain(
      'Первый абзац.\n\nВторой\nна двух строках.\n\nОткрыть: https://resort.test/bookings/1?a=b&c=d',
    );
    expect(html).toContain('href="https://resort.test/bookings/1?a=b&amp;c=d"');
    expect(html).toContain('lang="ru"');
    expect(text).toContain('Курорт & Ко');
    expect(html).not.toMatch(/<(script|img|link)/);
  });

  it('says how to unsubscribe only where that is possible', () => {
    const url = 'https://resort.test/api/v1/mail/unsubscribe?token=a.b';
    expect(rendered(content({ language: 'en' }), RESORT, url).text).toContain(
      `Unsubscribe from news and offers: ${url}`,
    );
    expect(rendered(content(), RESORT, null).html).not.toContain('Отписаться');
  });

  it.each(['https://evil.test/', '//evil.test', 'javascript:alert(1)', '/\\evil.test'])(
    'does not lead elsewhere: %s',
    (path) => {
      expect(() => rendered(content({ link: { text: 'Open', path } }), RESORT, null)).toThrow('path of this system');
    },
  );

  it('shows any text as it is, and never as markup', () => {
    const special = fc.constantFrom('<', '>', '&', '"', "'", '\r', '\n', '\u202e', '\u2028', 'a', 'Я', ' ');
    fc.assert(
      fc.property(fc.string({ unit: special }), (name) => {
        const hostile = { subject: name, paragraphs: [name], link: { text: name, path: '/a' } };
        const { subject, html } = rendered(content(hostile), RESORT, null);
        expect(subject).not.toMatch(/[\r\n\u2028\u202e]/);
        const plain = rendered(
          content({ subject: '', paragraphs: [''], link: { text: '', path: '/a' } }),
          RESORT,
          null,
        );
        expect(html.match(/[<>]/g)).toEqual(plain.html.match(/[<>]/g));
        expect(html.match(/"/g)).toEqual(plain.html.match(/"/g));
      }),
    );
  });
});

it('a line has no characters that end a header or turn the direction', () => {
  expect(oneLine(' a\r\nBcc: b\u2028c\u202ed\t e ')).toBe('a Bcc: b cd e');
});
