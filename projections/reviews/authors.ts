/** Under which names those who write reviews are shown. */
import { reviewsPurpose } from '../../domain/reviews/index.ts';
import { namesOfAccounts } from '../accounts/shortNames.ts';

export const reviewAuthors = namesOfAccounts('review_authors', reviewsPurpose);
