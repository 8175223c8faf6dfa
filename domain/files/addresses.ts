/** The paths of files in the API. */

/** What of a file is read: its bytes, or the small picture of it. */
export type Variant = 'file' | 'thumbnail';

const FILES = '/api/v1/files/';

export const pathOf = (id: string, variant: Variant): string =>
  `${FILES}${id}${variant === 'thumbnail' ? '/thumbnail' : ''}`;

/** The file that the public address of a file leads to, at whatever host; undefined for other addresses. */
export const fileIdIn = (url: string): string | undefined =>
  /^https?:\/\/[^/]+(?:\/.*)?\/api\/v1\/files\/([0-9a-f-]{36})$/.exec(url)?.[1];
