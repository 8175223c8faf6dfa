/** What a text that people edit said before, such as that of a message. */
import { type Static, Type } from '@sinclair/typebox';
import { Instant, isPlaceholder } from '../../domain/core/schema.ts';

/**
 * Each edit adds one, also one that changed nothing but the mentions, and so does the deletion by the author of what is
 * reported. The oldest comes first.
 */
export const FormerTexts = Type.Array(Type.Object({ body: Type.String(), replaced_at: Instant }));
type FormerTexts = Static<typeof FormerTexts>;

/** Former texts with one more. */
export const withFormer = (
  former: FormerTexts | undefined,
  { formerBody, at }: { readonly formerBody: string; readonly at: string },
): FormerTexts => [...(former ?? []), { body: formerBody, replaced_at: at }];

/** @param what the noun of what has the text: `message` */
export const TextVersions = (what: string) =>
  Type.Array(Type.Object({ body: Type.String(), written_at: Instant }), {
    description: `The oldest first; the last one is what the ${what} says now, or said until it was deleted.`,
  });
type TextVersions = Static<ReturnType<typeof TextVersions>>;

/** A text that people edit and delete. */
interface Edited {
  /** What it says now; null: nothing, or nothing more. */
  readonly body: string | null;
  readonly writtenAt: string;
  readonly isDeleted: boolean;
  readonly former: FormerTexts | undefined;
}

/**
 * All that a text has said, from when on each. Nothing of one whose author was erased. Of a deleted one only admins read what
 * was kept for them.
 */
export const versionsFor = (
  reader: 'author' | 'admin',
  { body, writtenAt, isDeleted, former = [] }: Edited,
): TextVersions => {
  if (isDeleted && reader === 'author') return [];
  // The last former text of a deleted one is what it said until then.
  const [before, last] = isDeleted ? [former.slice(0, -1), former.at(-1)?.body ?? null] : [former, body];
  if (last === null || isPlaceholder(last)) return [];
  const versions = [...before, { body: last }];
  return versions.map(({ body: said }, n) => ({ body: said, written_at: before[n - 1]?.replaced_at ?? writtenAt }));
};
