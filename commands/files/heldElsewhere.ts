/** What this module holds about people outside of tables. */

import { filesPurpose } from '../../domain/files/purpose.ts';
import type { HeldElsewhere } from '../../infra/holding.ts';
import { deletedWhen } from './unused.ts';

export const filesElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'uploaded files and their thumbnails: the folder `files`, or the bucket',
    where: 'files',
    why: filesPurpose,
    kept: { until: `the file is deleted: ${deletedWhen}` },
    seenBy: [...filesPurpose.seenBy, 'admins'],
    exported:
      'listed in the section `files`, each with its operation to download it; the archive has them, also those that only admins still see',
    erased:
      'nobody can read them at once; the bytes are deleted with all versions that a bucket keeps of them, as soon as the file store answers; those that a listing of somebody else, a post or a story of the resort shows stay; those that others have uploaded for a listing or room of the person are deleted soon after',
  },
];
