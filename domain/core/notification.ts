/** The words in which modules declare what people are told, and in which they are told. */
import { OneOf } from './schema.ts';

/** A person can switch the pushes of every kind off but `system`, which is about their safety and their account. */
export const notificationKinds = [
  'booking',
  'queue',
  'friend',
  'chat',
  'review',
  'badge',
  'favorite',
  'statement',
  'marketing',
  'system',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/**
 * `normal`: may wait for the device. `high`: wakes the device. `critical`: also in the quiet hours of the person.
 */
export const urgencies = ['normal', 'high', 'critical'] as const;
export type Urgency = (typeof urgencies)[number];

export const notificationLanguages = ['ru', 'en'] as const;
export const NotificationLanguage = OneOf(notificationLanguages);
export type NotificationLanguage = (typeof notificationLanguages)[number];

/** The language for somebody who reads in this one (BCP 47). */
export const notificationLanguage = (language: string): NotificationLanguage =>
  language === 'ru' || language.startsWith('ru-') ? 'ru' : 'en';
