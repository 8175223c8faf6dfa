/**
 * Uploaded files, as their owners see them and as they are served. The row of a removed file is deleted; that of a withheld
 * one is for admins only.
 */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type Uploaded, Usage } from '../../domain/files/file.ts';
import { type FolderName, folderNames } from '../../domain/files/folders.ts';
import { filesPurpose } from '../../domain/files/index.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { toSnake } from '../../infra/naming.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { formsOf } from '../engine/replies.ts';
import { wireFormWith } from '../engine/wire.ts';
import { AttachmentRow, Links, linksTo } from './links.ts';

const { file_id: _, folder: __, ...facts } = AttachmentRow.properties;

const Row = Type.Object({
  id: Uuid,
  owner_id: Uuid,
  folder: OneOf(folderNames),
  ...facts,
  sha256: Type.String(),
  /** What uses it. */
  used_by: Nullable(Usage),
  is_withheld: Type.Boolean(),
  created_at: Instant,
});
export type FileRow = Static<typeof Row>;

const { thumbnail_size: ___, ...shown } = facts;
export const FileSchema = Type.Object(
  {
    id: Uuid,
    folder: OneOf(folderNames),
    ...shown,
    used_by: Nullable(Usage),
    created_at: Instant,
    ...Links.properties,
  },
  { $id: 'File' },
);
export type File = Static<typeof FileSchema>;

/** The row of a file that was just uploaded. @param at when, RFC 3339 */
export const rowOf = (id: string, upload: Uploaded, at: string): FileRow => ({
  id,
  ...toSnake(upload),
  used_by: null,
  is_withheld: false,
  created_at: at,
});

export const files = readModel('files', {
  version: 2,
  row: Row,
  key: 'id',
  personalData: { whose: 'owner_id', texts: ['sha256'], why: filesPurpose, retention: 'account' },
  on: {
    FileUploaded: (_, { streamId, at, data }) => rowOf(streamId, data, at),
    FileAttached: (row, { data }) => ({ ...existing(row), used_by: data.usage }),
    FileDetached: (row) => ({ ...existing(row), used_by: null }),
    FileWithheld: (row) => ({ ...existing(row), is_withheld: true }),
    FileRemoved: () => null,
  },
  indexes: ['owner_id, created_at desc, id', 'owner_id, folder, created_at desc, id'],
  wire: wireFormWith({
    schema: FileSchema,
    make: ({ owner_id: _, sha256: __, thumbnail_size: ___, is_withheld: ____, ...row }: FileRow) => row,
    overlay: {
      fields: ['url', 'thumbnail_url'],
      needs: ['id', 'folder', 'used_by', 'thumbnail_size'],
      read:
        async () =>
        ({ id, folder, used_by, thumbnail_size }, _, at) =>
          linksTo(
            { id, folder, isUsed: used_by !== null, isWithheld: false, hasThumbnail: thumbnail_size !== null },
            at,
          ),
    },
  }),
});

/** Files as their owner sees them. */
export const showFiles = async (db: ReadDb, rows: readonly FileRow[]): Promise<JsonText<File>[]> => {
  const formFor = await formsOf(db, files, rows, ['guest']);
  return rows.map((row) => formFor(row, 'guest') as JsonText<File>);
};

const all = (db: ReadDb) => tables(db, files).selectFrom('files').selectAll();
/** The column is null in rows of the former version, while the table is rebuilt. */
const ownedBy = (db: ReadDb, ownerId: string) =>
  all(db).where('owner_id', '=', ownerId).where('is_withheld', 'is not', true);

/** Also a withheld one. */
export const fileById = (db: ReadDb, id: string): Promise<FileRow | undefined> =>
  all(db).where('id', '=', id).executeTakeFirst();

/** A file as its owner has it. */
export const fileOf = (db: ReadDb, ownerId: string, id: string): Promise<FileRow | undefined> =>
  ownedBy(db, ownerId).where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listFiles = async (
  db: ReadDb,
  { ownerId, folder, ...paging }: Paging & { readonly ownerId: string; readonly folder?: FolderName | undefined },
): Promise<Page<FileRow>> => {
  const matching = ownedBy(db, ownerId).$if(folder !== undefined, (q) => q.where('folder', '=', folder as FolderName));
  return pageOf(db, matching.orderBy('created_at', 'desc').orderBy('id'), paging);
};
