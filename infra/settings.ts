/**
 * How a setting is declared: its type, default and meaning. Modules declare their own settings; `ops/config.ts` reads
 * all of them from the environment, once.
 */
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { type CamelCase, camelCase } from './naming.ts';

/**
 * Beside the schema: `dev` = the fixed value of a secret outside production; `secret` = never shown; `wellKnown` = texts
 * that production refuses in every secret, because they are in the source or documented; `needs` = the settings without which this one
 * is refused; `neededBy` = the setting without which this one is not used; `standIn` = the default is good for the sandbox only; `chosen` =
 * whoever runs the installation makes it up (`resort init` does); `example` = one of its pattern, for whoever got it wrong; `unreadable` says what is wrong with a value that
 * has the right form, without showing it, one text for each fault.
 */
interface Extras {
  readonly description: string;
  readonly secret?: boolean;
  readonly dev?: string;
  readonly wellKnown?: string | readonly string[];
  readonly needs?: readonly string[];
  readonly neededBy?: string;
  readonly standIn?: true;
  readonly chosen?: boolean;
  readonly example?: string;
  readonly unreadable?: (value: string) => string | readonly string[] | undefined;
  readonly [keyword: string]: unknown;
}

/** The values of declared settings, by the names that operators know. */
export type SettingsOf<D extends TProperties> = Readonly<Static<TObject<D>>>;

/** The same by the names that code has for them: `SMS_PER_DAY` is `smsPerDay`. */
export type SettingValues<D extends TProperties> = {
  readonly [K in keyof SettingsOf<D> & string as CamelCase<Lowercase<K>>]: SettingsOf<D>[K];
};
/** @param config may have more settings than those declared */
export const settingValues = <D extends TProperties>(
  declared: D,
  config: SettingsOf<D> & Readonly<Record<string, unknown>>,
): SettingValues<D> =>
  Object.fromEntries(
    Object.keys(declared).map((name) => [camelCase(name.toLowerCase()), config[name]]),
  ) as SettingValues<D>;

/** `{NAME}` in a default stands for the value of that setting. */
export const text = (fallback: string, extras: Extras) => Type.String({ default: fallback, ...extras });
export const integer = (fallback: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: fallback, minimum, maximum, description });
export const port = (fallback: number, description: string) => integer(fallback, 0, 65_535, description);
export const flag = (fallback: boolean, description: string) => Type.Boolean({ default: fallback, description });
/** A text without a default. */
export const unset = (extras: Extras) => Type.Optional(Type.String(extras));
export const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
export const choice = <const T extends readonly string[]>(
  values: T,
  fallback: T[number],
  description: string,
  extras: Partial<Extras> = {},
) => Type.Unsafe<T[number]>({ ...oneOf(values), default: fallback, description, ...extras });
/** Settings of which either all are set or none. */
export const together = <D extends Readonly<Record<string, TSchema>>>(settings: D): D => {
  const names = Object.keys(settings);
  return Object.fromEntries(
    Object.entries(settings).map(([name, schema]) => {
      const others = names.filter((other) => other !== name);
      return [name, { ...schema, needs: [...others, ...((schema.needs as readonly string[] | undefined) ?? [])] }];
    }),
  ) as unknown as D;
};
/** Comma-separated. */
export const list = <T extends TSchema>(items: T, fallback: readonly string[], description: string) =>
  Type.Array(items, { default: fallback, description, uniqueItems: true });
/** Has a development value outside production; production refuses to start with it or without the setting. */
export const secret = (dev: string, extras: Extras) => Type.String({ secret: true, dev, chosen: true, ...extras });

/** An origin such as `https://app.example` or `myapp://host`, or `*`. */
export const ORIGIN = Type.String({ pattern: '^(\\*|[a-z][a-z0-9+.-]*://[^/]*)$', example: 'https://app.example' });
export const HTTP_URL = '^https?://';

/** How to write what would end a part of an address. */
export const ESCAPED =
  'write %40 for @, %2F for /, %3A for :, %3F for ?, %23 for # and %25 for % in its user and password';

/** Whether a URL has the origin of `base`, so that the same server answers it. */
export const isSameOrigin = (url: string, base: string): boolean =>
  URL.canParse(url) && URL.canParse(base) && new URL(url).origin === new URL(base).origin;

/** What is wrong with the settings, one line each. The message is meant for the operator: print it and exit. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}
