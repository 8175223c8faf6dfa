/** The files of what its author deleted while a report of it was open, as admins see them for a while. */
import { type Static, Type } from '@sinclair/typebox';
import { hasCome } from '../../domain/core/instants.ts';
import { Instant, Nullable } from '../../domain/core/schema.ts';
import { EVIDENCE_DAYS, evidenceUntil } from '../../domain/files/evidence.ts';
import type { FileFacts } from '../../domain/files/file.ts';
import { toSnake } from '../../infra/naming.ts';
import { Attachment, AttachmentRow, attachmentsOf } from './links.ts';

/** The columns of a row that has former texts. */
export const KeptFiles = {
  kept_files: Type.Array(AttachmentRow),
  /** Until when they are there; null: there are none. */
  kept_until: Nullable(Instant),
};
type KeptFiles = { readonly [K in keyof typeof KeptFiles]: Static<(typeof KeptFiles)[K]> };

export const NO_FILES: KeptFiles = { kept_files: [], kept_until: null };

/** @param at of the deletion, RFC 3339 */
export const keptAt = (at: string, files: readonly FileFacts[]): KeptFiles =>
  files.length === 0 ? NO_FILES : { kept_files: toSnake([...files]), kept_until: evidenceUntil(at) };

/** @param what the noun of what had the files: `message` */
export const Evidence = (what: string) =>
  Type.Array(Attachment, {
    description: `What a ${what} had that its author deleted while a report of it was open, for admins, ${EVIDENCE_DAYS} days long. Otherwise empty.`,
  });

/** @param at when it is read, RFC 3339 */
export const evidenceAt = (at: string, { kept_files, kept_until }: KeptFiles = NO_FILES): Attachment[] =>
  kept_until === null || hasCome(kept_until, at) ? [] : attachmentsOf(kept_files, at, true);
