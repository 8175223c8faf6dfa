/** Instants as RFC 3339 texts, `2026-12-04T09:00:00.000Z`, and lengths of time in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** In seconds, as limits of requests count them. */
export const HOUR_S = 3_600;
export const DAY_S = 24 * HOUR_S;

/** The instant so many milliseconds after 1970 began, in UTC. */
export const instantOf = (ms: number): string => new Date(ms).toISOString();

/** The instant so many milliseconds after another; before it if they are negative. */
export const addMs = (instant: string, ms: number): string => instantOf(Date.parse(instant) + ms);

/** The instant so many minutes after another; before it if they are negative. */
export const addMinutes = (instant: string, minutes: number): string => addMs(instant, minutes * MINUTE_MS);

/** Milliseconds from one instant to another; negative when `to` is earlier. */
export const msBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

/** Minutes from one instant to another; negative when `to` is earlier. */
export const minutesBetween = (from: string, to: string): number => msBetween(from, to) / MINUTE_MS;

/** Whether `a` is earlier than `b`. It compares times: as texts, instants differ in offset and number of digits. */
export const isBefore = (a: string, b: string): boolean => Date.parse(a) < Date.parse(b);

/** Whether `a` is later than `b`. */
export const isAfter = (a: string, b: string): boolean => Date.parse(a) > Date.parse(b);

/** Whether an instant has come by `at`: it is not later than `at`. */
export const hasCome = (instant: string, at: string): boolean => Date.parse(instant) <= Date.parse(at);
