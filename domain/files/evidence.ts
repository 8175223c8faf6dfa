/** Files of what its author deleted while a report of it was open. */
import { addMs, DAY_MS } from '../core/instants.ts';
import type { FileFacts } from './file.ts';

/** They stay so long after the deletion, for admins. */
export const EVIDENCE_DAYS = 30;

/** When they are deleted. @param at of the deletion, RFC 3339 */
export const evidenceUntil = (at: string): string => addMs(at, EVIDENCE_DAYS * DAY_MS);

/**
 * What the event of a deletion says of the files and the text of what is deleted.
 * @param formerBody what it said last, if it was reported: then its files stay, too
 */
export const leftOf = (files: readonly FileFacts[], formerBody: string | null) =>
  formerBody === null
    ? { fileIds: files.map(({ fileId }) => fileId) }
    : { fileIds: [], formerBody, keptFiles: [...files] };
