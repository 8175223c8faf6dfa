/** What this module holds about people outside of tables. */
import type { HeldElsewhere } from '../../infra/holding.ts';
import { privacyPurpose } from './purpose.ts';

export const privacyElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'archives of exports: the file store, and the disk of the worker that makes one',
    where: 'files',
    why: privacyPurpose,
    kept: { until: 'two days after it is ready, when a job deletes it' },
    exported: 'it is the export itself',
    erased: 'nobody can download it at once; the bytes are deleted as soon as the file store answers',
  },
];
