/** The export as a ZIP with the person's files: asked for, made by a worker, downloaded by a link. */
import { type Static, Type } from '@sinclair/typebox';
import { archiveKey, requestExport } from '../../commands/privacy/archives.ts';
import { type Archive, archiveById, archiveOf } from '../../commands/privacy/tables.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { checkLink, signedLink } from '../../infra/signedLinks.ts';
import { Bytes, byLink } from '../http/bytes.ts';
import { HttpError } from '../http/errors.ts';
import { route } from '../http/route.ts';

const ExportArchive = Type.Object(
  {
    id: Uuid,
    status: OneOf(['waiting', 'ready'] as const),
    requested_at: Instant,
    progress_pct: Type.Integer({ minimum: 0, maximum: 100 }),
    size: Nullable(Type.Integer({ description: 'In bytes.' })),
    url: Nullable(Type.String({ format: 'uri', description: 'Whoever has this link can download the archive.' })),
    expires_at: { ...Nullable(Instant), description: 'The archive is deleted then.' },
  },
  { $id: 'ExportArchive' },
);

const none = () => new Rejected('not_found', 'There is no archive: it was not asked for, or its time is over.');
const subjectOf = (id: string): string => `export ${id}`;

const shown = (archive: Archive | undefined, at: string): Static<typeof ExportArchive> => {
  if (!archive || archive.status === 'removed' || (archive.expires_at ?? at) < at) throw none();
  const { id, status, requested_at, entries, entries_done, size, expires_at } = archive;
  const isReady = status === 'ready';
  return {
    id,
    status,
    requested_at,
    progress_pct: isReady ? 100 : Math.floor((100 * entries_done) / Math.max(1, entries)),
    size,
    url: isReady ? signedLink(`/api/v1/exports/${id}`, subjectOf(id), at) : null,
    expires_at,
  };
};

const request = route('POST /api/v1/me/export', {
  id: 'requestExportArchive',
  access: 'user',
  rate: 'money',
  harm: 'account',
  summary: 'Ask for an archive of your data and files',
  description:
    'A ZIP with the document of [the export](#/operations/exportMe) and your files. It is made in the background, one at a time for each account; a former one is deleted.',
  reply: ExportArchive,
  status: 202,
  handle: async ({ caller, context }, app) => {
    const id = await requestExport(app, context, caller.id);
    return shown(await archiveById(app.pool, id), context.at);
  },
});

const state = route('GET /api/v1/me/export/archive', {
  id: 'getExportArchive',
  access: 'user',
  harm: 'account',
  summary: 'Get the state and the link of your archive',
  reply: ExportArchive,
  errors: ['not_found'],
  handle: async ({ caller, context }, app) => shown(await archiveOf(app.pool, caller.id), context.at),
});

const download = route('GET /api/v1/exports/:id', {
  ...byLink,
  id: 'downloadExportArchive',
  summary: 'Download an archive of an export',
  description: 'Use the `url` of [its state](#/operations/getExportArchive).',
  handle: async ({ params: { id }, query, context }, app) => {
    const link = checkLink(subjectOf(id), query, context.at);
    if (link === 'forged') throw none();
    if (link === 'expired') throw new HttpError('link_expired', 'This link has expired. Ask for a new archive.');
    const { size } = shown(await archiveById(app.pool, id), context.at);
    if (size === null) throw none();
    return new Bytes({
      type: 'application/zip',
      size,
      etag: `"${id}"`,
      cache: 'private',
      disposition: 'attachment',
      open: (range) => app.fileStore.get(archiveKey(id), range),
    });
  },
});

export const archiveRoutes = [request, state, download];
