/** A name on the leaderboards that was removed, and how it is shown again. It is known by the account whose name it is. */
import { skier } from '../../domain/leaderboards/skier.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { restoreName } from './participation.ts';

export const nameAppealables = {
  leaderboard_name: {
    standing: async ({ aggregates }, accountId) => {
      const { removedName, removals: number } = (await aggregates.load(skier, accountId)).state;
      return removedName === null ? undefined : { accountId, number };
    },
    undo: restoreName,
  },
} as const satisfies AppealableKinds['appealables'];
