/** How authors are named, and what is left of the texts of an erased one. */
import { isPlaceholder } from '../../domain/core/schema.ts';

export const DELETED_USER = 'Deleted user';

/** The name of an author, as it was when they wrote. */
export const authorName = (name: string): string => (isPlaceholder(name) ? DELETED_USER : name);
/** null: its author was erased. */
export const textOrNull = (text: string | null): string | null => (text === null || isPlaceholder(text) ? null : text);
