import { describe, expect, it } from 'vitest';
import { exponentOf, minorPerMajor } from '../../domain/core/money.ts';
import { notificationLanguages } from '../../domain/core/notification.ts';
import { amountText, dayAndTime, dayText, monthText } from '../../domain/core/wording.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('amounts in words', () => {
  it.each([
    ['en', 99_950, 'HUF', 'HUF 999.50'],
    ['en', 100_000, 'HUF', 'HUF 1,000'],
    ['ru', 450_050, 'RUB', '4 500,50 ₽'],
    ['ru', 450_000, 'RUB', '4 500 ₽'],
    ['en', 1_234, 'JPY', 'JP¥1,234'],
    ['en', 1_234_567, 'KWD', 'KWD 1,234.567'],
    ['en', -1_050, 'EUR', '-€10.50'],
  ] as const)('%s: %i of %s is %s', (language, minor, currency, text) => {
    expect(plain(amountText(language, minor, currency))).toBe(text);
  });

  it('say every minor unit of every currency', () => {
    for (const language of notificationLanguages)
      for (const currency of Intl.supportedValuesOf('currency')) {
        const minor = minorPerMajor(currency) + 1;
        const digits = amountText(language, minor, currency).replace(/[^0-9]/g, '');
        expect(digits, currency).toBe(exponentOf(currency) === 0 ? '2' : String(minor));
      }
  });
});

describe('dates in words', () => {
  it('say the year, and of a time the zone', () => {
    expect(dayText('en', '2027-12-05')).toBe('5 December 2027');
    expect(plain(dayText('ru', '2027-12-05'))).toBe('5 декабря 2027 г.');
    expect(dayAndTime('en', 'Europe/Moscow', '2027-12-05T12:00:00Z')).toBe('5 December 2027, 15:00 (GMT+3)');
    expect(plain(dayAndTime('ru', 'Europe/Moscow', '2027-12-04T21:05:00Z'))).toBe('5 декабря 2027 г., 00:05 (GMT+3)');
    expect(dayAndTime('en', 'Asia/Kolkata', '2027-07-01T00:00:00Z')).toBe('1 July 2027, 05:30 (GMT+5:30)');
    expect(monthText('en', 'Europe/Moscow', '2027-11-30T22:00:00Z')).toBe('December 2027');
  });

  it('follow the clocks of the place', () => {
    expect(dayAndTime('en', 'Europe/Berlin', '2027-03-28T00:59:00Z')).toContain('01:59 (GMT+1)');
    expect(dayAndTime('en', 'Europe/Berlin', '2027-03-28T01:00:00Z')).toContain('03:00 (GMT+2)');
  });
});
