/** What a person wants to be told by push, and when not. */
import { type Static, Type } from '@sinclair/typebox';
import { addDays, instantIn, localTime } from '../core/dates.ts';
import { isAfter } from '../core/instants.ts';
import { NotificationLanguage } from '../core/notification.ts';
import { Nullable } from '../core/schema.ts';

const Clock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:00'] });

/** Pushes wait while it is quiet. From an evening to a morning is past midnight. */
export const QuietHours = Type.Object({
  from: Clock,
  to: Clock,
  timezone: Type.String({ maxLength: 64, description: 'IANA name.', examples: ['Europe/Moscow'] }),
});
export type QuietHours = Static<typeof QuietHours>;

const Switch = (description: string) => Type.Boolean({ description });

export const NotificationPreferences = Type.Object({
  booking: Switch('Bookings and payments.'),
  queue: Switch('Queues at lifts.'),
  friend: Switch('Friends: invitations, arrivals.'),
  chat: Switch('Messages, mentions, calls.'),
  review: Switch('Reviews and answers to them.'),
  badge: Switch('Badges.'),
  favorite: Switch('Prices and free dates of favourites.'),
  statement: Switch('The monthly statement of sellers, also by e-mail.'),
  marketing: Switch('Offers and news, also by e-mail and in the list. They also need the consent to marketing.'),
  quiet_hours: Nullable(QuietHours),
  language: Nullable({ ...NotificationLanguage, description: 'Of what the person is told; null: as in the profile.' }),
});
export type NotificationPreferences = Static<typeof NotificationPreferences>;

/** What a person has chosen; null for marketing: nothing, so that their consent alone decides. */
export type ChosenPreferences = Omit<NotificationPreferences, 'marketing'> & { readonly marketing: boolean | null };

/** Of somebody who has chosen nothing. */
export const DEFAULT_PREFERENCES: ChosenPreferences = {
  booking: true,
  queue: true,
  friend: true,
  chat: true,
  review: true,
  badge: true,
  favorite: true,
  statement: true,
  marketing: null,
  quiet_hours: null,
  language: null,
};

/** When the quiet hours end that it is in at an instant (RFC 3339); null when it is not quiet. */
export const quietUntil = (quiet: QuietHours | null, at: string): string | null => {
  if (quiet === null) return null;
  const { from, to, timezone } = quiet;
  const [date = '', clock = ''] = localTime(timezone, at).split(' ');
  const isPastMidnight = from > to;
  const isQuiet = isPastMidnight ? clock >= from || clock < to : clock >= from && clock < to;
  if (!isQuiet) return null;
  const until = instantIn(timezone, isPastMidnight && clock >= from ? addDays(date, 1) : date, to);
  // In the hour that comes twice in autumn, the clocks show the end before it is reached.
  return isAfter(until, at) ? until : null;
};
