/** For whom a flag is evaluated. */

/** What an app can run on. */
export const appPlatforms = ['ios', 'android', 'web'] as const;

export interface FlagContext {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly role?: string;
  readonly remoteAddress?: string;
  readonly environment?: string;
  /** RFC 3339. */
  readonly currentTime?: string;
  /**
   * A number from 0 up to 1: chance, where nothing else decides. null: nobody in particular, as in replies that everybody
   * shares, who gets what everybody gets, and nothing that some get.
   */
  readonly random: number | null;
  /** Further fields, such as `platform` and `app_version`. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** What the server knows by itself. */
const FIELDS = ['userId', 'sessionId', 'role', 'remoteAddress', 'environment', 'currentTime'] as const;
type Field = (typeof FIELDS)[number];
export const isField = (name: string): name is Field => FIELDS.some((field) => field === name);

/** The value of a field. An empty text is none. */
export const fieldOf = (context: FlagContext, name: string): string | undefined => {
  const own = isField(name) ? context[name] : undefined;
  const value = own || (Object.hasOwn(context.properties ?? {}, name) ? context.properties?.[name] : undefined);
  return value || undefined;
};
