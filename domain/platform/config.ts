/**
 * What apps are configured with, without a release. The fields are the same in events and on the wire, because a merge patch
 * speaks of them.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Language } from '../accounts/accountEvents.ts';
import { isTimezone } from '../core/dates.ts';
import { Rejected } from '../core/decider.ts';
import { assertCurrency } from '../core/money.ts';
import { notificationLanguages } from '../core/notification.ts';
import { Currency, MapOf, WebUrl } from '../core/schema.ts';
import { compareVersions, isVersion } from '../flags/constraints.ts';
import { mergePatch } from './mergePatch.ts';

const Version = Type.String({ maxLength: 64, description: 'A semantic version.', examples: ['2.4.0'] });
/** Names that admins choose. */
const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' });

const Versions = {
  latest_version: Version,
  force_update_below: { ...Version, description: 'An app older than this must be updated before it is used.' },
};
const AppPlatform = Type.Partial(Type.Object({ ...Versions, store_url: WebUrl }));
const MOST_URLS = 50;
const MOST_MODULES = 100;

export const PlatformConfig = Type.Object({
  rescue_phone: Type.String({ pattern: '^\\+?[0-9]{2,15}$', examples: ['112'] }),
  ...Versions,
  platforms: Type.Object(
    {
      ios: Type.Optional(AppPlatform),
      android: Type.Optional(AppPlatform),
      web: Type.Optional(AppPlatform),
    },
    { description: 'What a platform has of its own. A version that it lacks is the one beside.' },
  ),
  urls: MapOf(Name, WebUrl, { maxProperties: MOST_URLS }),
  languages: Type.Array(Language, {
    minItems: 1,
    maxItems: 20,
    description: 'Russian and English, also of a country (`en-GB`). The first one is the default.',
  }),
  timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone of the resort.' }),
  currency: Currency,
  modules: MapOf(Name, Type.Boolean(), {
    maxProperties: MOST_MODULES,
    description: 'false closes a module for everybody but admins.',
  }),
});
export type PlatformConfig = Static<typeof PlatformConfig>;

/** Before the first change; what a patch sets to null goes back to it. */
export const defaultConfig: PlatformConfig = {
  rescue_phone: '112',
  latest_version: '1.0.0',
  force_update_below: '1.0.0',
  platforms: {},
  urls: {},
  languages: ['ru', 'en'],
  timezone: 'Europe/Moscow',
  currency: 'RUB',
  modules: {},
};

const refuse = (field: string, detail: string): never => {
  throw new Rejected('invalid', detail, { fields: [field] });
};

type VersionPair = Pick<PlatformConfig, 'latest_version' | 'force_update_below'>;
/** @param at where the pair is: empty, or `platforms/ios/` */
const checkVersions = (at: string, where: string, { latest_version, force_update_below }: VersionPair): void => {
  for (const [name, version] of Object.entries({ latest_version, force_update_below }))
    if (!isVersion(version)) refuse(`${at}${name}`, `${where}${version} is not a semantic version such as 1.2.3.`);
  if (compareVersions(force_update_below, latest_version) > 0)
    refuse(
      `${at}force_update_below`,
      `${where}force_update_below ${force_update_below} is above latest_version ${latest_version}: nobody could update far enough.`,
    );
};

/** @throws Rejected `invalid` when the parts contradict each other */
export const checkConfig = (config: PlatformConfig): void => {
  const { latest_version, force_update_below } = config;
  checkVersions('', '', config);
  for (const [name, own] of Object.entries(config.platforms))
    checkVersions(`platforms/${name}/`, `${name}: `, { latest_version, force_update_below, ...own });
  if (Object.keys(config.urls).length > MOST_URLS) refuse('urls', `There can be at most ${MOST_URLS} urls.`);
  if (!isTimezone(config.timezone)) refuse('timezone', `${config.timezone} is not an IANA time zone.`);
  assertCurrency(config.currency);
  const unknown = config.languages.find(
    (language) => !notificationLanguages.some((known) => known === language.slice(0, 2)),
  );
  if (unknown)
    refuse(
      'languages',
      `languages: ${unknown} is not one of the languages of the platform: ${notificationLanguages.join(', ')}.`,
    );
  if (new Set(config.languages).size < config.languages.length) refuse('languages', 'A language is listed twice.');
};

/** The configuration after a merge patch. A member that was removed is the default again. */
export const patched = (config: PlatformConfig, patch: object): PlatformConfig => ({
  ...defaultConfig,
  ...(mergePatch(config, patch) as Partial<PlatformConfig>),
});
