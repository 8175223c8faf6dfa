/** Properties that compare what an operation promises with what is done then. `previews.check.spec.ts` asks for one each. */
import { it } from 'vitest';
import { changedNothing } from '../../domain/core/decider.ts';

/** @param key of the operation with the preview: `POST /api/v1/bookings/quote` */
export const previewIsResult = (key: string, compare: () => Promise<void>): void =>
  it(`${key} promises what is done`, compare);

/** What came of it, or the code of the refusal. */
export const outcomeOf = async <T extends object>(work: () => Promise<T>): Promise<T | { readonly code: string }> => {
  try {
    return await work();
  } catch (error) {
    if (changedNothing(error)) return { code: error.code };
    throw error;
  }
};
