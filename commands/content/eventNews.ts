/** Whoever said that they come to an event is told when it is moved or cancelled. */
import { Type } from '@sinclair/typebox';
import { Happening, type OpenPost, type PostEvent, post, postStateAt, textIn } from '../../domain/content/post.ts';
import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { DAY_MS, hasCome } from '../../domain/core/instants.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { dayAndTime } from '../../domain/core/wording.ts';
import { NIL_ID } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { notification, setCue } from '../core/notification.ts';
import { guestsOf } from './guests.ts';

/** Stored: never renamed. */
const MOVED = 'event_moved';
const CANCELLED = 'event_cancelled';
/** People of one cue: what they are told is written in one transaction. */
const AT_ONCE = 200;

const Params = Type.Object({
  post_id: Uuid,
  title_ru: Type.String(),
  title_en: Type.String(),
  place: Happening.properties.place,
  starts_at: Happening.properties.startsAt,
  timezone: Happening.properties.timezone,
});

/** An event before a change and after it; after: null when nobody sees it any more. */
interface Change {
  readonly before: OpenPost;
  readonly after: OpenPost | null;
}

/** What an event of the log changed of the post, if everybody saw it before. */
const changeAt = async ({ store, codec }: CoreDeps, postId: string, revision: string): Promise<Change | undefined> => {
  const events = await codec.decode<Recorded<PostEvent>>(await store.read(streamName(post.category, postId)));
  const last = events.findIndex((event) => String(event.revision) === revision);
  const at = events[last]?.at;
  const before = events.slice(0, Math.max(last, 0)).reduce(post.evolve, post.initial);
  const after = events.slice(0, last + 1).reduce(post.evolve, post.initial);
  if (at === undefined || before.status !== 'open' || before.kind !== 'event') return undefined;
  const isTakenBack = after.status !== 'open' || ['draft', 'expired'].includes(postStateAt(after.content, at));
  return { before, after: isTakenBack ? null : after };
};

const isMoved = ({ before, after }: Change): boolean => {
  const [from, to] = [before.content.happening, after?.content.happening];
  return to != null && (from?.startsAt !== to.startsAt || from.endsAt !== to.endsAt || from.place !== to.place);
};

/** The next people of an event whom a change concerns. The cue of those after them is set before they are told. */
const tellGuests =
  (name: string, concerns: (change: Change) => OpenPost | null) =>
  async (
    { postId = '', revision = '', after = NIL_ID }: Readonly<Record<string, string>>,
    { deps, at, eventAt, correlationId }: { deps: CoreDeps; at: string; eventAt: string; correlationId: string },
  ) => {
    const change = await changeAt(deps, postId, revision);
    const told = change?.before.isPublished ? concerns(change) : null;
    const happening = told?.content.happening;
    // Of what was over before, and of what is over now, nobody needs to hear.
    if (!told || !happening || hasCome(change?.before.content.happening?.endsAt ?? at, at)) return [];
    const people = await guestsOf(deps, postId, after, AT_ONCE);
    const last = people[AT_ONCE - 1];
    if (last !== undefined) {
      const about = { postId, revision, after: last };
      await setCue(
        deps.jobs,
        { correlationId },
        { name, key: `${postId} ${revision} ${last}`, about, eventAt, dueAt: at },
      );
    }
    const { texts } = told.content;
    const params = {
      post_id: postId,
      title_ru: textIn(texts, 'ru').title,
      title_en: textIn(texts, 'en').title,
      place: happening.place,
      starts_at: happening.startsAt,
      timezone: happening.timezone,
    };
    return people.map((to) => ({ to, key: postId, version: Number(revision), params }));
  };

const cue = ({ streamId: postId, revision }: Pick<Recorded, 'streamId' | 'revision'>) => ({
  about: { postId, revision: String(revision) },
});
const traits = { kind: 'booking', urgency: 'high', worthMs: 2 * DAY_MS, params: Params } as const;
const when = (language: NotificationLanguage, { timezone, starts_at }: { timezone: string; starts_at: string }) =>
  dayAndTime(language, timezone, starts_at);

const eventMoved = notification(MOVED, {
  ...traits,
  on: { PostChanged: cue },
  find: tellGuests(MOVED, (change) => (isMoved(change) ? change.after : null)),
  text: {
    ru: (params) => ({
      title: 'Событие перенесено',
      body: `«${params.title_ru}»: ${when('ru', params)}, ${params.place}.`,
    }),
    en: (params) => ({
      title: 'An event was moved',
      body: `“${params.title_en}”: ${when('en', params)}, ${params.place}.`,
    }),
  },
  link: ({ post_id }) => `/events/${post_id}`,
});

const eventCancelled = notification(CANCELLED, {
  ...traits,
  on: { PostChanged: cue, PostDeleted: cue },
  find: tellGuests(CANCELLED, ({ before, after }) => (after === null ? before : null)),
  text: {
    ru: (params) => ({
      title: 'Событие отменено',
      body: `«${params.title_ru}» (${when('ru', params)}) не состоится.`,
    }),
    en: (params) => ({
      title: 'An event was cancelled',
      body: `“${params.title_en}” (${when('en', params)}) does not take place.`,
    }),
  },
  link: () => '/events',
});

export const eventNotifications = [eventMoved, eventCancelled];
