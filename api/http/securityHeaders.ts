/** Headers that tell browsers what a reply must not be used for. */
/** JSON is no page: nothing is loaded from it, and nothing shows it in a frame. */
const OF_REPLIES = "default-src 'none'; frame-ancestors 'none'";
/** Swagger UI sets styles on elements, and has its pictures as `data:`. */
export const OF_DOCUMENTS =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/** By name, the same for every reply. @param publicUrl with https, browsers are told to use nothing else for a year */
export const securityHeaders = (publicUrl: string): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': OF_REPLIES,
  ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});
