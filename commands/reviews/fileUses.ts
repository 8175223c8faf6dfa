/** The pictures of reviews: whether a review shows them. */
import type { Usage } from '../../domain/files/file.ts';
import { fileIdsOf, review } from '../../domain/reviews/review.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { FileUse } from '../files/fileUses.ts';

export const usageOf = (id: string): Usage => ({ kind: 'review', id });

/** Pictures that it shows no longer are not used: `reviewPolicy` may have removed them already. */
export const reviewUse: FileUse<Pick<CoreDeps, 'aggregates'>> = async ({ aggregates }, { id, fileId }) => {
  const { state } = await aggregates.load(review, id);
  return 'pictures' in state && fileIdsOf(state).includes(fileId);
};
