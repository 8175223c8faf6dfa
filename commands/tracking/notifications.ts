/** What people are told when their track does not count in comparisons with others, and when it does again. */
import { Type } from '@sinclair/typebox';
import { DAY_MS } from '../../domain/core/instants.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { DateOnly, Uuid } from '../../domain/core/schema.ts';
import { dayText } from '../../domain/core/wording.ts';
import { type TrackReview, trackReview } from '../../domain/tracking/review.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type Cue, notification, type Settled } from '../core/notification.ts';

const params = Type.Object({ session_id: Uuid, day: DateOnly });
const traits = {
  kind: 'system',
  urgency: 'normal',
  worthMs: 3 * DAY_MS,
  params,
  link: ({ session_id }: { readonly session_id: string }) => `/tracking/${session_id}`,
} as const;

interface Reviewed {
  readonly streamId: string;
  readonly revision: bigint;
  readonly data: { readonly accountId: string; readonly day: string };
}
const cueOf = ({ streamId: sessionId, revision, data: { accountId, day } }: Reviewed): Cue => ({
  about: { sessionId, accountId, day, revision: String(revision) },
});
/** What was said before is no longer so. */
const noLonger = ({ streamId: key, revision, data: { accountId: to } }: Reviewed): Settled => ({
  to,
  key,
  version: Number(revision),
});

/** Tells the owner unless the review has gone on. */
const toOwner =
  (status: TrackReview['status']) =>
  async (
    { sessionId = '', accountId = '', day = '', revision }: Cue['about'],
    { deps }: { readonly deps: Pick<CoreDeps, 'aggregates'> },
  ) => {
    const { state } = await deps.aggregates.load(trackReview, sessionId);
    if (state.status !== status) return [];
    return [{ to: accountId, key: sessionId, version: Number(revision), params: { session_id: sessionId, day } }];
  };

const of: Readonly<Record<NotificationLanguage, (day: string) => string>> = {
  ru: (day) => `Трек за ${dayText('ru', day)}`,
  en: (day) => `Your track of ${dayText('en', day)}`,
};

const trackSetAside = notification('track_set_aside', {
  ...traits,
  on: { TrackSetAside: cueOf },
  takenBackBy: { TrackReleased: noLonger, TrackDisqualified: noLonger },
  find: toOwner('set_aside'),
  text: {
    ru: ({ day }) => ({
      title: 'Трек отложен для проверки',
      body: `${of.ru(day)} необычен. Пока его не проверят, он не учитывается в таблицах лидеров и для значков. Ваша статистика не меняется.`,
    }),
    en: ({ day }) => ({
      title: 'Your track was set aside',
      body: `${of.en(day)} looks unusual. Until it has been checked, it does not count on leaderboards or for badges. Your own statistics do not change.`,
    }),
  },
});

const trackReleased = notification('track_released', {
  ...traits,
  on: { TrackReleased: cueOf },
  takenBackBy: { TrackSetAside: noLonger, TrackDisqualified: noLonger },
  find: toOwner('released'),
  text: {
    ru: ({ day }) => ({
      title: 'Трек засчитан',
      body: `${of.ru(day)} проверен: он снова учитывается в таблицах лидеров и для значков.`,
    }),
    en: ({ day }) => ({
      title: 'Your track counts again',
      body: `${of.en(day)} was checked: it counts on leaderboards and for badges.`,
    }),
  },
});

/** The reason is shown with the track. */
const trackDisqualified = notification('track_disqualified', {
  ...traits,
  on: { TrackDisqualified: cueOf },
  takenBackBy: { TrackReleased: noLonger },
  find: toOwner('disqualified'),
  text: {
    ru: ({ day }) => ({
      title: 'Трек не засчитан',
      body: `${of.ru(day)} не учитывается в таблицах лидеров и для значков. Причина указана в треке.`,
    }),
    en: ({ day }) => ({
      title: 'Your track was disqualified',
      body: `${of.en(day)} does not count on leaderboards or for badges. The reason is shown with the track.`,
    }),
  },
});

export const trackNotifications = [trackSetAside, trackReleased, trackDisqualified];
