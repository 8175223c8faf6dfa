/** What the commands of leaderboards need beside the core. */
import type { Calendar } from '../../domain/leaderboards/board.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import { timezoneNow } from '../platform/timezone.ts';
import type { trackingSettings } from '../tracking/settings.ts';

export type LeaderboardDeps = CoreDeps & WithSettings<typeof trackingSettings>;

/** When the periods of the resort begin. */
export const calendarNow = async (deps: Pick<LeaderboardDeps, 'aggregates' | 'settings'>): Promise<Calendar> => ({
  timezone: await timezoneNow(deps),
  seasonBegins: deps.settings.resortSeasonBegins,
});
