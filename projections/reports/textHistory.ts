/**
 * What a text said before, such as a message or a post: the rows that its module keeps beside its read model, and how its author
 * and admins read them. The former texts of a deleted one are gone, unless it was reported before its author deleted it: then
 * admins have all that it said, and for a while its files.
 */
import { type Static, Type } from '@sinclair/typebox';
import { hasCome } from '../../domain/core/instants.ts';
import { Instant, isPlaceholder, Nullable } from '../../domain/core/schema.ts';
import { EVIDENCE_DAYS, evidenceUntil } from '../../domain/files/evidence.ts';
import type { FileFacts } from '../../domain/files/file.ts';
import { toSnake } from '../../infra/naming.ts';
import { Attachment, AttachmentRow, attachmentsOf } from '../files/links.ts';

/** The columns of each row. */
export const History = {
  /**
   * Each edit adds one, also one that changed nothing but the mentions, and so does the end of a text that is kept. The oldest
   * comes first.
   */
  former: Type.Array(Type.Object({ body: Type.String(), replaced_at: Instant })),
  kept_files: Type.Array(AttachmentRow),
  /** Until when its files are there for admins; null: there are none. */
  kept_until: Nullable(Instant),
};
type History = { readonly [K in keyof typeof History]: Static<(typeof History)[K]> };

export const NO_FILES = { kept_files: [], kept_until: null } satisfies Partial<History>;

/** The former texts with one more. No files are kept of what is there. */
export const withFormer = (row: History | undefined, body: string, replaced_at: string): History => ({
  former: [...(row?.former ?? []), { body, replaced_at }],
  ...NO_FILES,
});

/** What the event of a deletion says of the text and the files that stay. */
interface Left {
  readonly formerBody?: string;
  readonly keptFiles?: readonly FileFacts[];
}

/** What stays of a text that its author deletes; null: nothing. @param at of the deletion, RFC 3339 */
export const afterDeletion = (
  row: History | undefined,
  { formerBody, keptFiles = [] }: Left,
  at: string,
): History | null => {
  if (formerBody === undefined) return null;
  const files = { kept_files: toSnake([...keptFiles]), kept_until: evidenceUntil(at) };
  return { ...withFormer(row, formerBody, at), ...(keptFiles.length > 0 && files) };
};

/** @param what the noun of what has the text: `message` */
export const TextVersions = (what: string) =>
  Type.Array(Type.Object({ body: Type.String(), written_at: Instant }), {
    description: `The oldest first; the last one is what the ${what} says now, or said until it was deleted.`,
  });

/** @param what the noun of what had the files: `message` */
export const Evidence = (what: string) =>
  Type.Array(Attachment, {
    description: `What a ${what} had that its author deleted while a report of it was open, for admins, ${EVIDENCE_DAYS} days long. Otherwise empty.`,
  });

/** A text as its read model has it now. */
interface Now {
  /** null: nothing, or nothing more. */
  readonly body: string | null;
  readonly writtenAt: string;
  /** By its author. A moderator's removal that empties the text is `removed`. */
  readonly gone: 'deleted' | 'removed' | null;
}

/**
 * All that a text has said, from when on each, and what is kept of its files. Nothing of one whose author was erased. What was
 * kept of a deleted one is for admins only; what a moderator has removed is for its author, too.
 * @param at when it is read, RFC 3339
 */
export const historyFor = (
  reader: 'author' | 'admin',
  { body, writtenAt, gone }: Now,
  row: History | undefined,
  at: string,
): { versions: Static<ReturnType<typeof TextVersions>>; files: Attachment[] } => {
  const { former = [], kept_files = [], kept_until = null } = row ?? {};
  // The last former text of one that is gone is what it said until then.
  const [before, last] = gone === null ? [former, body] : [former.slice(0, -1), former.at(-1)?.body ?? null];
  if (last === null || isPlaceholder(last) || (gone === 'deleted' && reader === 'author'))
    return { versions: [], files: [] };
  const texts = [...before, { body: last }];
  const versions = texts.map((text, n) => ({ body: text.body, written_at: before[n - 1]?.replaced_at ?? writtenAt }));
  if (gone === 'removed') return { versions, files: attachmentsOf(kept_files, at) };
  const hasFiles = kept_until !== null && !hasCome(kept_until, at);
  return { versions, files: hasFiles ? attachmentsOf(kept_files, at, true) : [] };
};
