/** What this module holds about people outside of tables. */

import { filesPurpose } from '../../domain/files/purpose.ts';
import type { HeldElsewhere } from '../../infra/holding.ts';

export const filesElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'uploaded files and their thumbnails: the folder `files`, or the bucket',
    where: 'files',
    why: filesPurpose,
    kept: { until: 'what shows the file is deleted; a day after the upload if nothing does' },
    exported: 'listed in the section `files`, each with its operation to download it',
    erased:
      'deleted at once, before the key is destroyed; those that a listing of somebody else, a post or a story of the resort shows stay; those that others have uploaded for a listing or room of the person are deleted soon after',
  },
];
