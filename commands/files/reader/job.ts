/** What the process that reads uploads is asked, and what it answers. */
import { Type } from '@sinclair/typebox';
import { Nullable, OneOf } from '../../../domain/core/schema.ts';
import { type FolderName, mimes } from '../../../domain/files/folders.ts';

export interface ReadJob {
  /** The upload. */
  readonly path: string;
  readonly folder: FolderName;
  /** Where a picture or recording is written anew, and the thumbnail of a picture. */
  readonly anew: string;
  readonly thumbnail: string;
}

const Pixels = Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }));

/** What the file is. A picture has a thumbnail; a document is not written anew. */
const Found = Type.Object({
  mime: OneOf(mimes),
  width: Pixels,
  height: Pixels,
  durationS: Nullable(Type.Number({ minimum: 0, maximum: 1_000_000 })),
});

/** Why it is refused: in words for the person who uploads. */
const Refusal = Type.Object({
  code: OneOf(['unsupported_media_type', 'too_large', 'invalid']),
  detail: Type.String({ maxLength: 500 }),
});

/** `away`: what the process writes to does not take it. */
export const ReadAnswer = Type.Union([
  Type.Object({ found: Found }),
  Type.Object({ refusal: Refusal }),
  Type.Object({ away: Type.String({ maxLength: 500 }) }),
]);
