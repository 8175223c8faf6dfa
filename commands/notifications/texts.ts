/** What a stored notification says: made when it is shown, from its declaration. */
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import type { Notification, NotificationRow } from '../../domain/notifications/notification.ts';
import { typedLine, typedLines } from '../../infra/typedText.ts';
import type { NoticeText, NotificationDeclaration } from '../core/notification.ts';
import type { NotificationsPort } from './deps.ts';
import type { People } from './namesAndLanguages.ts';

/** How many it stands for. */
const countOf = ({ count }: NotificationRow): number => Math.max(1, count);

export const textOf = (
  { text }: NotificationDeclaration,
  row: NotificationRow,
  people: People,
  language: NotificationLanguage,
): NoticeText => {
  const said = text[language](row.params as never, {
    name: people.nameOf(row.of_person, language),
    count: countOf(row),
  });
  // Of names and titles that were stored before texts were cleaned where they come in.
  return { ...said, title: typedLine(said.title), body: typedLines(said.body) };
};

/** Of a notification that no module declares any more. */
const FORMER: Readonly<Record<NotificationLanguage, NoticeText>> = {
  ru: { title: 'Уведомление', body: '' },
  en: { title: 'Notification', body: '' },
};

/** As its person sees it. */
export const shownTo = ({ notifications }: NotificationsPort, row: NotificationRow, people: People): Notification => {
  const { id, seq, name, kind, params, at, read_at } = row;
  const declaration = notifications.get(name);
  const language = people.languageOf(row.person_id);
  return {
    id,
    seq,
    kind,
    type: name,
    ...(declaration ? textOf(declaration, row, people, language) : FORMER[language]),
    link: declaration?.link(params as never) ?? '/',
    urgency: declaration?.urgency ?? 'normal',
    count: countOf(row),
    created_at: at,
    read_at,
  };
};
