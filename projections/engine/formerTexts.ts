/** What a text that people edit said before, such as that of a message. */
import { type Static, Type } from '@sinclair/typebox';
import { Instant } from '../../domain/core/schema.ts';

/** Each edit adds one, also one that changed nothing but the mentions. The oldest comes first. */
export const FormerTexts = Type.Array(Type.Object({ body: Type.String(), replaced_at: Instant }));
type FormerTexts = Static<typeof FormerTexts>;

/** @param what the noun of what has the text: `message` */
export const TextVersions = (what: string) =>
  Type.Array(Type.Object({ body: Type.String(), written_at: Instant }), {
    description: `The oldest first; the last one is what the ${what} says now.`,
  });
type TextVersions = Static<ReturnType<typeof TextVersions>>;

/** All that a text has said, from when on each. @param now what it says now, and when it was first written */
export const versionsOf = (
  former: FormerTexts,
  now: { readonly body: string; readonly writtenAt: string },
): TextVersions =>
  [...former, now].map(({ body }, n) => ({ body, written_at: former[n - 1]?.replaced_at ?? now.writtenAt }));
