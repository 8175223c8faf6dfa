/** Events as iCalendar (RFC 5545). Times are in UTC, which every calendar shows in the time of its reader. */
import ical from 'ical-generator';
import { type PostLanguage, textIn } from '../../domain/content/post.ts';
import { HOUR_S } from '../../domain/core/instants.ts';
import { typedLine, typedLines } from '../../infra/typedText.ts';
import type { PostRow } from '../../projections/content/posts.ts';

const PRODUCT = { company: 'Resort booking platform', product: 'Events', language: 'EN' };
/** How long a calendar app may wait before it fetches the feed again, in seconds. */
const REFRESH_S = HOUR_S;

/** @param host names the system in the ids of events, as RFC 7986 recommends: they stay the same for ever */
export const calendarOf = (rows: readonly PostRow[], language: PostLanguage, host: string): string => {
  const calendar = ical({
    name: language === 'ru' ? 'События курорта' : 'Resort events',
    prodId: PRODUCT,
    ttl: REFRESH_S,
  });
  for (const { id, texts, happening, link, sequence, created_at, updated_at } of rows) {
    if (!happening) continue;
    const { title, summary, body } = textIn(texts, language);
    const { place, location } = happening;
    calendar.createEvent({
      id: `${id}@${host}`,
      sequence,
      stamp: new Date(updated_at),
      created: new Date(created_at),
      lastModified: new Date(updated_at),
      start: new Date(happening.starts_at),
      end: new Date(happening.ends_at),
      summary: typedLine(title),
      description: typedLines([summary, body].filter((text) => text !== '').join('\n\n')),
      location: {
        title: typedLine(place),
        ...(location && { geo: { lat: location.latitude, lon: location.longitude } }),
      },
      ...(link !== null && { url: link }),
    });
  }
  return calendar.toString();
};
