/** Everybody sees the same. It may change at any time, and the ETag tells cheaply that it has not. */
export const PUBLIC_CACHE = { maxAge: 0, shared: true } as const;
