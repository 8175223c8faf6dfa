/** What closes a part of the product. */
import { expect, it } from 'vitest';
import { appModule } from '../../api/http/appModule.ts';
import { closedBy } from '../../api/platform/modules.ts';
import { defaultConfig } from '../../domain/platform/config.ts';

const openings = (modules: Record<string, boolean>, switchedOn?: boolean) => ({
  config: { ...defaultConfig, modules },
  rules: {
    flags: new Map(
      switchedOn === undefined
        ? []
        : [
            [
              'module.chat',
              { enabled: switchedOn, condition: { strategies: [], parents: [] }, payload: { variants: [] } },
            ],
          ],
    ),
    segments: new Map(),
  },
});
const chat = appModule('chat');

it.each([
  [{}, undefined, null],
  [{ chat: true }, true, null],
  [{ chat: false }, true, 'configuration'],
  [{ chat: true }, false, 'flag'],
  [{ calls: false }, undefined, null],
])('the configuration %j and the flag %s: %s', (modules, flag, closer) =>
  expect(closedBy(openings(modules as Record<string, boolean>, flag), chat, { random: 0 })).toBe(closer),
);

it('nothing closes what must always be open', () =>
  expect(
    closedBy(openings({ chat: false }, false), appModule('chat', { alwaysOpen: true }), { random: 0 }),
  ).toBeNull());
