/** Files as replies and realtime messages show them: with links, which are made when they are sent. */
import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../../domain/core/schema.ts';
import { pathOf, type Variant } from '../../domain/files/addresses.ts';
import { FileFacts } from '../../domain/files/file.ts';
import { type FolderName, folderOf } from '../../domain/files/folders.ts';
import { type SnakeStatic, snakeSchema } from '../../infra/naming.ts';
import { publicLink, signedLink } from '../../infra/signedLinks.ts';

/**
 * What a link lets its holder read.
 * @param isWithheld for a link that also works while the file is withheld: only admins are shown it
 */
export const subjectOf = (id: string, variant: Variant, isWithheld = false): string =>
  `${isWithheld ? 'withheld ' : ''}${variant} ${id}`;

/** Whether everybody may read the file without a signed link. */
export const isOpen = ({ folder, isUsed, isWithheld }: Pick<Linked, 'folder' | 'isUsed' | 'isWithheld'>): boolean =>
  isUsed && !isWithheld && folderOf(folder).isPublic;

export interface Linked {
  readonly id: string;
  readonly folder: FolderName;
  readonly isUsed: boolean;
  readonly isWithheld: boolean;
  readonly hasThumbnail: boolean;
}

export const Links = Type.Object({
  url: Type.String({
    description: 'Where the file is read, without a token. Of private files it works for two to three days.',
  }),
  thumbnail_url: Nullable(Type.String({ description: 'Of pictures: one of at most 400 pixels.' })),
});
export type Links = Static<typeof Links>;

/** @param at when they are sent, RFC 3339 */
export const linksTo = (file: Linked, at: string): Links => {
  const { id, isWithheld, hasThumbnail } = file;
  const link = (variant: Variant): string => {
    const path = pathOf(id, variant);
    return isOpen(file) ? publicLink(path) : signedLink(path, subjectOf(id, variant, isWithheld), at);
  };
  return { url: link('file'), thumbnail_url: hasThumbnail ? link('thumbnail') : null };
};

/** Files that something uses, as a column of its read model: `attachments: Type.Array(AttachmentRow)`. */
export const AttachmentRow = snakeSchema(FileFacts);
export type AttachmentRow = SnakeStatic<typeof FileFacts>;

const { file_id: id, folder: _, thumbnail_size: __, ...shown } = AttachmentRow.properties;
/** The same in the wire form. */
export const Attachment = Type.Object({ id, ...shown, ...Links.properties }, { $id: 'Attachment' });
export type Attachment = Static<typeof Attachment>;

/**
 * For the overlay of a wire form.
 * @param at when it is sent, RFC 3339
 * @param isWithheld for links that admins are shown of what is withheld from everybody else
 */
export const attachmentsOf = (rows: readonly AttachmentRow[], at: string, isWithheld = false): Attachment[] =>
  rows.map(({ file_id: id, folder, thumbnail_size, ...facts }) => ({
    id,
    ...facts,
    ...linksTo({ id, folder, isUsed: true, isWithheld, hasThumbnail: thumbnail_size !== null }, at),
  }));
