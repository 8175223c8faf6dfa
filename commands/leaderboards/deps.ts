/** What the commands of leaderboards need beside the core. */
import type { Calendar } from '../../domain/leaderboards/board.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { TrackingSettings } from '../tracking/deps.ts';

export type CalendarSettings = Pick<TrackingSettings, 'resortTimezone' | 'seasonBegins'>;
export type LeaderboardDeps = CoreDeps & { readonly settings: CalendarSettings };

/** When the periods of the resort begin. */
export const calendarOf = ({ resortTimezone: timezone, seasonBegins }: CalendarSettings): Calendar => ({
  timezone,
  seasonBegins,
});
