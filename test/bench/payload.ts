/** What the line `append` stores: an event whose data is 500 bytes of JSON, by so many writers at once. */
export const AT_ONCE = 64;
export const PAYLOAD = 'a note of some words '.repeat(24).slice(0, 489);
