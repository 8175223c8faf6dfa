/** In which language a person is written to, by e-mail or by SMS. */
import { type NotificationLanguage, notificationLanguage } from '../../domain/core/notification.ts';

export interface LanguagePort {
  /** The language that a person has chosen to be told in, as the module `notifications` knows; null: none. */
  readonly chosenLanguage: (personId: string) => Promise<NotificationLanguage | null>;
}

/** @param accountLanguage what counts when the person has chosen none: `ru`, `en-GB` */
export const writtenLanguage = async (
  { chosenLanguage }: LanguagePort,
  personId: string,
  accountLanguage: string,
): Promise<NotificationLanguage> => (await chosenLanguage(personId)) ?? notificationLanguage(accountLanguage);
