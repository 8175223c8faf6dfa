import { expect, it } from 'vitest';
import { isWeak } from '../../commands/accounts/weakPasswords.ts';

const anna = { email: 'anna.orlova@example.test', phone: '+79991234567' };

it.each([
  ...['password', 'Password1', 'P@ssw0rd', 'passw0rd!', '12345678', '87654321', '11111111', 'abababab', 'qwertyuiop'],
  ...[
    '1qaz2wsx',
    'qwerty123',
    'Iloveyou2',
    'letmein123',
    'welcome2026',
    'abc12345',
    '123qweasd',
    'asdfasdf',
    'aaaa1111',
  ],
  ...['ADMIN123!', 'snowboard', 'ｐassword', 'pass word', 'anna.orlova', 'Anna.Orlova@example.test', '79991234567'],
])('refuses %s', (password) => {
  expect(isWeak(password, anna)).toBe(true);
});

it.each([
  ...['correct horse battery', 'demo-Passw0rd', 'another one 2', 'кедр-снег-17-лыжа', 'Vd8#kQ2p', 'larch owl 99 tin'],
  ...['my password is long enough', 'snow-board-lamp', '7a9d4c1e'],
])('accepts %s', (password) => {
  expect(isWeak(password, anna)).toBe(false);
});
