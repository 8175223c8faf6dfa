/** What is shown in place of the name of something whose seller was erased: what it was, in words. */
import type { NotificationLanguage } from '../core/notification.ts';
import { isPlaceholder } from '../core/schema.ts';

/** What the catalog names: listings, and their parts. */
export const titledKinds = [
  'hotel',
  'room',
  'tour',
  'restaurant',
  'table',
  'transfer',
  'vehicle',
  'instructor',
  'company',
] as const;
export type TitledKind = (typeof titledKinds)[number];

const WORDS: Readonly<Record<NotificationLanguage, Readonly<Record<TitledKind, string>>>> = {
  en: {
    hotel: 'Hotel',
    room: 'Room',
    tour: 'Tour',
    restaurant: 'Restaurant',
    table: 'Table',
    transfer: 'Transfer',
    vehicle: 'Vehicle',
    instructor: 'Lesson',
    company: 'Company',
  },
  ru: {
    hotel: 'Отель',
    room: 'Номер',
    tour: 'Тур',
    restaurant: 'Ресторан',
    table: 'Столик',
    transfer: 'Трансфер',
    vehicle: 'Автомобиль',
    instructor: 'Занятие с инструктором',
    company: 'Компания',
  },
};

/** The name of a thing, or words for its kind once its seller was erased. Replies of the API are in English. */
export const titleOrKind = (kind: TitledKind, name: string, language: NotificationLanguage = 'en'): string =>
  isPlaceholder(name) ? WORDS[language][kind] : name;

/** What its kind is called. */
export const kindInWords = (kind: TitledKind, language: NotificationLanguage): string => WORDS[language][kind];
