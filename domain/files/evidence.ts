/** Files of what its author deleted while a report of it was open. */
import { addMs, DAY_MS } from '../core/instants.ts';

/** They stay so long after the deletion, for admins. */
export const EVIDENCE_DAYS = 30;

/** When they are deleted. @param at of the deletion, RFC 3339 */
export const evidenceUntil = (at: string): string => addMs(at, EVIDENCE_DAYS * DAY_MS);
