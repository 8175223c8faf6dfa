/** What is left of the texts of an erased author. */
import { isPlaceholder } from '../../domain/core/schema.ts';

/** null: its author was erased. */
export const textOrNull = (text: string | null): string | null => (text === null || isPlaceholder(text) ? null : text);
