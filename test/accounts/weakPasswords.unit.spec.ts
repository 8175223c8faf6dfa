import { dictionary } from '@zxcvbn-ts/language-common';
import fc from 'fast-check';
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
  ...[
    'ADMIN123!',
    'snowboard',
    'Snowboard2027',
    'ｐassword',
    'pass word',
    '1q2w3e4r5t',
    'maverick',
    'midnight',
    'scorpion',
  ],
  ...['anna.orlova', 'Anna.Orlova@example.test', '79991234567', 'anna.orlova1', '01.02.1990'],
])('refuses %s', (password) => {
  expect(isWeak(password, anna)).toBe(true);
});

it.each([
  'пароль123',
  'йцукенгш',
  'Привет2026',
  'й1ц2у3к4',
  'любовь123',
  'наташа1990',
  'админ123',
  'екатерина',
  'Сноуборд1',
])('refuses %s, in Russian letters', (password) => {
  expect(isWeak(password)).toBe(true);
});

it('refuses leaked passwords, also in capitals and typed on a Russian keyboard', () => {
  const leaked = dictionary['passwords-common'].filter((password) => password.length >= 8);
  expect(leaked.length).toBeGreaterThan(10_000);
  const onRussianKeys = (text: string) =>
    [...text]
      .map((key) => 'йцукенгшщзхъфывапролджэячсмитьбю'["qwertyuiop[]asdfghjkl;'zxcvbnm,.".indexOf(key)] ?? key)
      .join('');
  fc.assert(
    fc.property(fc.constantFrom(...leaked), (password) =>
      [password, password.toUpperCase(), onRussianKeys(password)].every((spelling) => isWeak(spelling)),
    ),
    { numRuns: 100 },
  );
});

it.each([
  ...['correct horse battery', 'demo-Passw0rd', 'another one 2', 'кедр-снег-17-лыжа', 'Vd8#kQ2p', 'larch owl 99 tin'],
  ...['my password is long enough', 'snow-board-lamp', '7a9d4c1e', 'x7$test%91!Qz', 'лиственница сова 99'],
])('accepts %s', (password) => {
  expect(isWeak(password, anna)).toBe(false);
});

it('takes little time for long passwords', () => {
  isWeak('the first one loads the lists');
  const started = performance.now();
  isWeak('4@8({[<3€1!|'.repeat(20));
  expect(performance.now() - started).toBeLessThan(2_000);
});
