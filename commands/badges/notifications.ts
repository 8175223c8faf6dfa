/** What people are told about their badges. */
import { Type } from '@sinclair/typebox';
import { badgeCatalogue } from '../../domain/badges/catalogue.ts';
import { badgeHolder, RevocationCause } from '../../domain/badges/holder.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { ONLY_ONE, Uuid } from '../../domain/core/schema.ts';
import type { CoreDeps } from '../core/deps.ts';
import { notification } from '../core/notification.ts';

const traits = { kind: 'badge', urgency: 'normal', worthMs: 3 * DAY_MS, link: () => '/badges' } as const;
const named = { badge_id: Uuid, name_ru: Type.String(), name_en: Type.String() };

/** The badge as the texts show it; undefined: it was retired, and its name is not told any more. */
const nameOf = async ({ aggregates }: Pick<CoreDeps, 'aggregates'>, badgeId: string) => {
  const { state } = await aggregates.load(badgeCatalogue, ONLY_ONE);
  const name = state[badgeId]?.name;
  return name && { badge_id: badgeId, name_ru: name.ru, name_en: name.en };
};

const badgeAwarded = notification('badge_awarded', {
  ...traits,
  params: Type.Object(named),
  on: { BadgeAwarded: ({ data: { accountId, badgeId } }) => ({ about: { accountId, badgeId } }) },
  find: async ({ accountId = '', badgeId = '' }, { deps }) => {
    const [{ state }, params] = await Promise.all([
      deps.aggregates.load(badgeHolder, accountId),
      nameOf(deps, badgeId),
    ]);
    return params && badgeId in state ? [{ to: accountId, params }] : [];
  },
  text: {
    ru: ({ name_ru }) => ({ title: 'Новый значок', body: `Вы получили значок «${name_ru}».` }),
    en: ({ name_en }) => ({ title: 'New badge', body: `You have earned the badge “${name_en}”.` }),
  },
});

const CAUSES: Readonly<Record<RevocationCause, { readonly ru: string; readonly en: string }>> = {
  track_disqualified: { ru: 'Один из ваших треков не засчитан.', en: 'One of your tracks was disqualified.' },
  review_hidden: {
    ru: 'Один из ваших отзывов скрыт модератором.',
    en: 'One of your reviews was hidden by a moderator.',
  },
};

const badgeRevoked = notification('badge_revoked', {
  ...traits,
  params: Type.Object({ ...named, cause: RevocationCause }),
  on: { BadgeRevoked: ({ data: { accountId, badgeId, cause } }) => ({ about: { accountId, badgeId, cause } }) },
  find: async ({ accountId = '', badgeId = '', cause }, { deps }) => {
    const [{ state }, params] = await Promise.all([
      deps.aggregates.load(badgeHolder, accountId),
      nameOf(deps, badgeId),
    ]);
    return params && !(badgeId in state)
      ? [{ to: accountId, params: { ...params, cause: cause as RevocationCause } }]
      : [];
  },
  text: {
    ru: ({ name_ru, cause }) => ({ title: 'Значок отозван', body: `«${name_ru}». ${CAUSES[cause].ru}` }),
    en: ({ name_en, cause }) => ({ title: 'Badge taken back', body: `“${name_en}”. ${CAUSES[cause].en}` }),
  },
});

export const badgeNotifications = [badgeAwarded, badgeRevoked];
