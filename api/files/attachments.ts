/** Uploads, and the files that an account has uploaded. */
import { Type } from '@sinclair/typebox';
import { removeOwnFile } from '../../commands/files/attachFiles.ts';
import { takenTypes } from '../../commands/files/formats.ts';
import { uploadFile } from '../../commands/files/uploads.ts';
import { notFound } from '../../domain/core/decider.ts';
import { OneOf } from '../../domain/core/schema.ts';
import { folderNames, folderOf, media } from '../../domain/files/folders.ts';
import { FileSchema, fileOf, files, listFiles, rowOf, showFiles } from '../../projections/files/files.ts';
import { ListOf, pagingOf, pagingQuery, textListOf } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { announcedBytes, interrupted, receiveFile, receiveHashed } from './multipart.ts';

const Folder = OneOf(folderNames, { description: 'What the file is for. It can be used only there.' });
const MiB = 1024 * 1024;
/** Bytes of a file of any kind. */
const LARGEST = Math.max(...Object.values(media).map(({ maxBytes }) => maxBytes));
const kinds = Object.entries(media).map(
  ([kind, { maxBytes, maxSeconds }]) =>
    `\`${kind}\` up to ${maxBytes / MiB} MiB${maxSeconds === undefined ? '' : ` and ${maxSeconds} s`}`,
);
const taken = folderNames.map(
  (name) => `\`${name}\` ${folderOf(name).kinds.join(', ')}${folderOf(name).by === 'sellers' ? ' (sellers only)' : ''}`,
);

const upload = route('POST /api/v1/attachments/upload', {
  id: 'uploadAttachment',
  access: 'user',
  summary: 'Upload a file',
  description: `The type is found by the content. Kinds: ${kinds.join('; ')}. Folders: ${taken.join('; ')}. Pictures (${takenTypes.pictures}) are decoded and recordings (${takenTypes.recordings}) packed anew without metadata, as JPEG or WebP and in what browsers play; what would lose its animation, its sound or its picture is 415, with what to send instead. A file that nothing uses is deleted after a day.`,
  query: Type.Object({ folder: Folder }),
  form: Type.Object({ file: Type.String({ format: 'binary' }) }),
  digestOf: (stream) => receiveHashed(stream, undefined, LARGEST),
  reply: FileSchema,
  status: 201,
  errors: ['insufficient_rights', 'upload_limit', 'invalid', 'overloaded'],
  projections: [files],
  handle: async ({ query: { folder }, caller, context, request: { stream, received } }, app) => {
    if (!stream) throw new Error('the upload has no stream');
    const owner = { ownerId: caller.id, sells: caller.sells || caller.role === 'admin' };
    const { id, upload } = await uploadFile(
      app,
      context,
      { ...owner, folder, announced: announcedBytes(stream) },
      async (path, maxBytes) =>
        received ? received(await receiveHashed(stream, path, maxBytes)) : receiveFile(stream, path, maxBytes),
      () => {
        if (stream.socket.destroyed) throw interrupted();
      },
    );
    const [shown] = await showFiles(app.db, [rowOf(id, upload, context.at)]);
    if (!shown) throw new Error('a file has no wire form');
    return shown;
  },
});

const list = route('GET /api/v1/attachments', {
  id: 'listAttachments',
  access: 'user',
  summary: 'List own files',
  query: Type.Object({ ...pagingQuery, folder: Type.Optional(Folder) }),
  reply: ListOf(FileSchema),
  reads: [files],
  handle: async ({ query, caller }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await listFiles(app.db, { ownerId: caller.id, folder: query.folder, ...paging });
    return textListOf({ rows: await showFiles(app.db, rows), total }, paging);
  },
});

const one = route('GET /api/v1/attachments/:id', {
  id: 'getAttachment',
  access: 'user',
  summary: 'Get your file with new links',
  params: ById,
  reply: FileSchema,
  errors: ['not_found'],
  reads: [files],
  handle: async ({ params, caller }, app) => {
    const row = await fileOf(app.db, caller.id, params.id);
    const [shown] = row ? await showFiles(app.db, [row]) : [];
    if (!shown) throw notFound('file');
    return shown;
  },
});

const remove = route('DELETE /api/v1/attachments/:id', {
  id: 'deleteAttachment',
  access: 'user',
  summary: 'Delete your unused file',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found', 'invalid_transition'],
  projections: [files],
  handle: async ({ params, caller, context }, app) => {
    await removeOwnFile(app, context, params.id, caller.id);
    return null;
  },
});

export const attachmentRoutes = [upload, list, one, remove];
