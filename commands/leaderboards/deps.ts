/** What the commands of leaderboards need beside the core. */
import type { Calendar } from '../../domain/leaderboards/board.ts';
import type { CoreDeps } from '../core/deps.ts';
import { timezoneNow } from '../platform/timezone.ts';
import type { TrackingSettings } from '../tracking/deps.ts';

export type LeaderboardDeps = CoreDeps & { readonly settings: Pick<TrackingSettings, 'seasonBegins'> };

/** When the periods of the resort begin. */
export const calendarNow = async (deps: Pick<LeaderboardDeps, 'aggregates' | 'settings'>): Promise<Calendar> => ({
  timezone: await timezoneNow(deps),
  seasonBegins: deps.settings.seasonBegins,
});
