/** The resort has one time zone, in the configuration of the apps. No code takes one from elsewhere. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Not `ops`: servers and backups run in UTC, and the demo is in Krasnaya Polyana. */
const LAYERS = ['domain', 'infra', 'eventstore', 'commands', 'projections', 'api', 'realtime'];

const sources = LAYERS.flatMap((layer) =>
  readdirSync(path.join(ROOT, layer), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.posix.join(layer, file.replaceAll(path.sep, '/'))),
).map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

/** Files that may have what the pattern finds, each with the reason. */
const only = (pattern: RegExp, allowed: Readonly<Record<string, string>>) => {
  const found = sources.filter(({ text }) => pattern.test(withoutComments(text))).map(({ file }) => file);
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted());
};

const of = (files: readonly string[], reason: string) => Object.fromEntries(files.map((file) => [file, reason]));
const OLD_BOOKINGS = 'bookings of before they said their time zone, whose place is not known any more';

describe('the time zone of the resort', () => {
  it('is a setting only where it is taken over into the configuration', () =>
    only(/RESORT_TIMEZONE|resortTimezone/, {
      'commands/platform/settings.ts': 'declares it',
      'commands/platform/timezone.ts': 'takes it over',
      'projections/platform/config.ts': 'says who changed the time zone',
    }));

  it('is read from the configuration in one place of each side', () =>
    only(/config(\)?\.|\.config\.|: \{ )timezone/, {
      'domain/platform/config.ts': 'checks it',
      'domain/platform/platformConfig.ts': 'compares it',
      'commands/platform/timezone.ts': 'timezoneNow of commands, policies and jobs',
      'projections/platform/config.ts': 'timezoneNow of queries',
    }));

  it('is never written down', () => {
    const zones = ['UTC', 'GMT', ...Intl.supportedValuesOf('timeZone')].map((zone) => `'${zone}'`);
    only(new RegExp(zones.join('|'), 'i'), {
      'domain/platform/config.ts': 'the default',
      ...of(
        ['domain/push/quietHours.ts', 'projections/catalog/listingForm.ts'],
        'an example in the description of the API',
      ),
      'domain/core/wording.ts': 'a date has no time zone',
      ...of(['domain/bookings/shorten.ts', 'commands/bookings/places.ts'], OLD_BOOKINGS),
      ...of(['commands/bookings/noShows.ts', 'commands/bookings/guestNotifications.ts'], OLD_BOOKINGS),
      ...of(['commands/accounts/notifications.ts', 'commands/privacy/notifications.ts'], 'the text says UTC'),
      'commands/resort/weatherSource.ts': 'what the weather service answers in',
      'projections/resort/typicalWaits.ts': 'a quarter of an hour of a day, in UTC, becomes an instant',
      'projections/purchases/upcomingPurchases.ts': 'a margin of a day for all time zones',
      'api/catalog/stays.ts': 'where a date begins first and ends last',
      ...of(['infra/retention.ts', 'commands/core/certificates.ts'], 'in SQL'),
    });
  });
});
