/** In which language people are told, and by which name others are shown to them. */
import { account } from '../../domain/accounts/account.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { type NotificationLanguage, notificationLanguage } from '../../domain/core/notification.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import type { CoreDeps } from '../core/deps.ts';
import { preferencesOf } from './preferences.ts';

type Deps = Pick<CoreDeps, 'aggregates' | 'pool'>;

/** Accounts that are read at the same time. */
const AT_ONCE = 8;
/** A name or a language that was changed since then is shown a little later. An erasure empties the cache. */
const STATE_MS = MINUTE_MS;

const GONE: Readonly<Record<NotificationLanguage, string>> = { ru: 'Удалённый пользователь', en: 'Deleted user' };
const NAMELESS: Readonly<Record<NotificationLanguage, string>> = { ru: 'Кто-то', en: 'Somebody' };

export interface People {
  /** Whether there is an account that was not erased. */
  exists(person: string): boolean;
  languageOf(person: string): NotificationLanguage;
  /** The first name and the initial of the last one. */
  nameOf(person: string | null, language: NotificationLanguage): string;
}

interface Known {
  readonly language: NotificationLanguage;
  readonly name: string;
}

/** @param recipients whose language is asked for @param others whose name may be shown */
export const loadPeople = async (
  deps: Deps,
  recipients: readonly string[],
  others: readonly (string | null)[],
): Promise<People> => {
  const known = new Map<string, Known>();
  const ids = new Set([...recipients, ...others.filter((id) => id !== null)]);
  await concurrentEach(ids, AT_ONCE, async (id) => {
    const { state } = await deps.aggregates.load(account, id, { maxAgeMs: STATE_MS });
    if (state.status === 'none') return;
    const { firstName, lastName, language } = state;
    const [first, last] = [firstName, lastName].map((part) => (isPlaceholder(part) ? '' : part.trim()));
    const initial = last ? `${Array.from(last)[0]}.` : '';
    const name = [first, initial].filter(Boolean).join(' ');
    known.set(id, { language: notificationLanguage(language), name });
  });
  const preferred = await preferencesOf(
    deps,
    recipients.filter((person) => known.has(person)),
  );
  return {
    exists: (person) => known.has(person),
    languageOf: (person) => preferred(person).language ?? known.get(person)?.language ?? 'ru',
    nameOf: (person, language) => {
      const found = person === null ? undefined : known.get(person);
      if (person !== null && !found) return GONE[language];
      return found?.name || NAMELESS[language];
    },
  };
};
