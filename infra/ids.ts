/** Ids: UUID version 7 for new things (ordered by time), version 5 for ids that a retry must derive again. */
import { v5, v7 } from 'uuid';

const NAMESPACE = '6f2a1c52-6b9e-5b0e-9d53-0d5f6f0a7a11';

export const newId = (): string => v7();
/** The same parts always give the same id, so that a retry is the same append, hold, booking. */
export const derivedId = (...parts: readonly (string | number)[]): string => v5(parts.join('\u0000'), NAMESPACE);
