/** When a person is not disturbed by push messages. */
import { type Static, Type } from '@sinclair/typebox';
import { addDays, instantIn, localTime } from '../core/dates.ts';
import { isAfter } from '../core/instants.ts';

const Clock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:00'] });

/** Pushes wait while it is quiet. From an evening to a morning is past midnight. */
export const QuietHours = Type.Object({
  from: Clock,
  to: Clock,
  timezone: Type.String({ maxLength: 64, description: 'IANA name.', examples: ['Europe/Moscow'] }),
});
export type QuietHours = Static<typeof QuietHours>;

/** When the quiet hours end that it is in at an instant (RFC 3339); null when it is not quiet. */
export const quietUntil = (quiet: QuietHours | null, at: string): string | null => {
  if (quiet === null) return null;
  const { from, to, timezone } = quiet;
  const [date = '', clock = ''] = localTime(timezone, at).split(' ');
  const isPastMidnight = from > to;
  const isQuiet = isPastMidnight ? clock >= from || clock < to : clock >= from && clock < to;
  if (!isQuiet) return null;
  const until = instantIn(timezone, isPastMidnight && clock >= from ? addDays(date, 1) : date, to);
  // In the hour that comes twice in autumn, the clocks show the end before it is reached.
  return isAfter(until, at) ? until : null;
};
