/** The bytes of files, for whoever has a link. */
import { keysOf } from '../../commands/files/fileStore.ts';
import { notFound } from '../../domain/core/decider.ts';
import { DAY_S } from '../../domain/core/instants.ts';
import type { Variant } from '../../domain/files/addresses.ts';
import { kindOf } from '../../domain/files/folders.ts';
import { checkLink, type LinkParts } from '../../infra/signedLinks.ts';
import { type FileRow, fileById, files } from '../../projections/files/files.ts';
import { isOpen, subjectOf } from '../../projections/files/links.ts';
import type { App } from '../http/app.ts';
import { Bytes, type BytesFacts, byLink } from '../http/bytes.ts';
import { HttpError } from '../http/errors.ts';
import { route } from '../http/route.ts';

/** Links to what is withheld are shown as soon as the deletion is known, which may be before the file is withheld. */
const stateOf = ({ id, is_withheld }: FileRow, variant: Variant, link: LinkParts, at: string) => {
  const state = checkLink(subjectOf(id, variant, true), link, at);
  return state === 'forged' && !is_withheld ? checkLink(subjectOf(id, variant), link, at) : state;
};

/** How what the link leads to may be cached. @throws Rejected `not_found`, HttpError 410 when the link is over */
const cacheFor = (row: FileRow, variant: Variant, link: LinkParts): BytesFacts['cache'] => {
  const { folder, used_by, is_withheld: isWithheld } = row;
  if (isOpen({ folder, isUsed: used_by !== null, isWithheld })) return DAY_S;
  const state = stateOf(row, variant, link, new Date().toISOString());
  if (state === 'forged') throw notFound('file');
  if (state === 'expired')
    throw new HttpError('link_expired', 'This link has expired. Read what shows the file again for a new one.');
  return 'private';
};

const bytesOf = async (app: App, id: string, variant: Variant, link: LinkParts): Promise<Bytes> => {
  const row = await fileById(app.db, id);
  if (!row) throw notFound('file');
  const cache = cacheFor(row, variant, link);
  const { mime: type, size } = variant === 'file' ? row : { mime: 'image/webp', size: row.thumbnail_size };
  if (size === null) throw notFound('file');
  return new Bytes({
    type,
    size,
    etag: `"${row.sha256.slice(0, 32)}-${variant}"`,
    cache,
    disposition: kindOf(row.mime) === 'document' ? 'attachment' : 'inline',
    open: (range) => app.fileStore.get(keysOf(id)[variant], range),
  });
};

const shared = { ...byLink, reads: [files] } as const;

const whole = route('GET /api/v1/files/:id', {
  ...shared,
  id: 'getFile',
  summary: 'Read a file',
  description: 'Use the `url` that replies and messages show. Files of public folders need no signature once used.',
  handle: ({ params, query }, app) => bytesOf(app, params.id, 'file', query),
});

const thumbnail = route('GET /api/v1/files/:id/thumbnail', {
  ...shared,
  id: 'getFileThumbnail',
  summary: 'Read the thumbnail of a picture',
  description: 'Use the `thumbnail_url` that replies and messages show.',
  handle: ({ params, query }, app) => bytesOf(app, params.id, 'thumbnail', query),
});

export const fileRoutes = [whole, thumbnail];
