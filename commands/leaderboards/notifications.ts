/** What people are told about their name on leaderboards. */
import { Type } from '@sinclair/typebox';
import { DAY_MS } from '../../domain/core/instants.ts';
import { skier } from '../../domain/leaderboards/skier.ts';
import { notification } from '../core/notification.ts';

const nameRemoved = notification('leaderboard_name_removed', {
  kind: 'system',
  urgency: 'normal',
  worthMs: 3 * DAY_MS,
  params: Type.Object({}),
  on: { LeaderboardNameRemoved: ({ data: { accountId } }) => ({ about: { accountId } }) },
  find: async ({ accountId = '' }, { deps }) => {
    const { displayName, removedName } = (await deps.aggregates.load(skier, accountId)).state;
    return displayName !== null && displayName === removedName ? [{ to: accountId, params: {} }] : [];
  },
  text: {
    ru: () => ({
      title: 'Ваше имя удалено из таблиц лидеров',
      body: 'Вы остаётесь в таблицах без имени, пока не выберете другое. Причина указана в таблице лидеров. Вы можете подать апелляцию.',
    }),
    en: () => ({
      title: 'Your name was removed from the leaderboards',
      body: 'You are shown without a name until you choose another one. The reason is shown with the leaderboard. You can appeal.',
    }),
  },
  link: () => '/leaderboard',
});

export const leaderboardNotifications = [nameRemoved];
