import { expect, it } from 'vitest';
import { checkReturnUrl } from '../../commands/core/returnUrl.ts';

const settings = { paymentReturnUrls: ['https://app.test', 'resort://pay'], publicUrl: 'https://resort.test' };

it.each([
  ['https://app.test/done?a=1#x', 'https://app.test/done?a=1#x'],
  ['  https://APP.test:443/a/../done\t', 'https://app.test/done'],
  ['https:\\\\app.test\\done', 'https://app.test/done'],
  ['resort://pay/done', 'resort://pay/done'],
])('%j is understood, stored and compared as %s', (url, understood) => {
  expect(checkReturnUrl(settings, url)).toBe(understood);
});

it.each([
  'https://app.test.evil.test/',
  'https://app.test@evil.test/',
  'https://user:secret@app.test/',
  '//app.test/done',
  'javascript:alert(1)',
  'https:\\\\evil.test\\@app.test',
  `https://app.test/${'\u00e9'.repeat(1_000)}`,
])('%j is refused', (url) => {
  expect(() => checkReturnUrl(settings, url)).toThrow('allowed origins');
});
