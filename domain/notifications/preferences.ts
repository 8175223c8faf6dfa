/** What a person wants to be told by push, and when not. */
import { type Static, Type } from '@sinclair/typebox';
import { NotificationLanguage } from '../core/notification.ts';
import { Nullable } from '../core/schema.ts';
import { QuietHours } from '../push/quietHours.ts';

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
