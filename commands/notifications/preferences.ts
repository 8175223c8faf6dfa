/** What people have chosen about what they are told. */
import { isTimezone } from '../../domain/core/dates.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { type NotificationKind, notificationKinds } from '../../domain/core/notification.ts';
import {
  type ChosenPreferences,
  DEFAULT_PREFERENCES,
  type NotificationPreferences,
} from '../../domain/notifications/preferences.ts';
import { gatherBy } from '../../infra/gather.ts';
import type { Pool } from '../../infra/postgres.ts';
import { hasConsent } from '../consents/consents.ts';
import type { CoreDeps } from '../core/deps.ts';
import { keepPushWishes } from '../push/segmentFacts.ts';

/** People who are asked about in one statement. */
const MOST_AT_ONCE = 500;

type Deps = Pick<CoreDeps, 'pool'>;
interface Row {
  readonly person_id: string;
  readonly preferences: Partial<NotificationPreferences>;
}

const chosenBy = gatherBy(async (pool: Pool, people: readonly string[]): Promise<ChosenPreferences[]> => {
  const { rows } = await pool.query<Row>(
    'select person_id, preferences from ops.notification_preferences where person_id = any($1::uuid[])',
    [people],
  );
  const chosen = new Map(rows.map(({ person_id, preferences }) => [person_id, preferences]));
  return people.map((person) => ({ ...DEFAULT_PREFERENCES, ...chosen.get(person) }));
}, MOST_AT_ONCE);

/** What a person has chosen. Those of one turn of the event loop are asked together. */
export const ownPreferences = ({ pool }: Deps, person: string): Promise<ChosenPreferences> => chosenBy(pool, person);

/** What each of these people has chosen. */
export const preferencesOf = async (
  deps: Deps,
  people: readonly string[],
): Promise<(person: string) => ChosenPreferences> => {
  const chosen = new Map(
    await Promise.all(people.map(async (person) => [person, await ownPreferences(deps, person)] as const)),
  );
  return (person) => chosen.get(person) ?? DEFAULT_PREFERENCES;
};

/**
 * Changes some of them; the others stay.
 * @throws Rejected `invalid` for quiet hours without a length or in no time zone
 */
export const changePreferences = async (
  deps: Deps,
  person: string,
  changes: Partial<NotificationPreferences>,
): Promise<ChosenPreferences> => {
  const quiet = changes.quiet_hours;
  if (quiet && quiet.from === quiet.to)
    throw new Rejected('invalid', 'The quiet hours must end at another time than they begin.', {
      fields: ['quiet_hours/to'],
    });
  if (quiet && !isTimezone(quiet.timezone))
    throw new Rejected('invalid', `${quiet.timezone} is no IANA time zone, such as Europe/Moscow.`, {
      fields: ['quiet_hours/timezone'],
    });
  const { rows } = await deps.pool.query<Row>(
    `insert into ops.notification_preferences as p (person_id, preferences) values ($1, $2)
     on conflict (person_id) do update set preferences = p.preferences || excluded.preferences
     returning person_id, preferences`,
    [person, JSON.stringify(changes)],
  );
  const chosen = { ...DEFAULT_PREFERENCES, ...rows[0]?.preferences };
  // Messages to many people are asked in SQL.
  const muted = notificationKinds.filter((kind) => !wantsPush(chosen, kind));
  await keepPushWishes(deps, person, { muted, quietHours: chosen.quiet_hours });
  return chosen;
};

/** Whether a person wants pushes of a kind. Their safety and their account are never switched off. */
export const wantsPush = (preferences: ChosenPreferences, kind: NotificationKind): boolean =>
  kind === 'system' || (preferences[kind] ?? true);

/** Whether a person wants e-mails of a kind. Only statements can be switched off here; `mayMarket` decides on marketing. */
export const wantsMail = (preferences: ChosenPreferences, kind: NotificationKind): boolean =>
  kind !== 'statement' || wantsPush(preferences, kind);

/** Whether a person may be sent marketing: they have consented to it, and not switched it off. */
export const mayMarket = async (deps: Deps & Pick<CoreDeps, 'aggregates'>, person: string): Promise<boolean> =>
  wantsPush(await ownPreferences(deps, person), 'marketing') && hasConsent(deps, person, 'marketing');
