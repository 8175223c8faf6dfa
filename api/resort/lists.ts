/** What the lists of the resort share. */
import { pageFrom } from '../../infra/paging.ts';
import { ifMatch } from '../http/conditional.ts';
import { listOf, pagingOf } from '../http/paging.ts';

/** Everybody sees the same. It may change at any time, and the ETag tells cheaply that it has not. */
export const PUBLIC_CACHE = { maxAge: 0, shared: true } as const;
export const IF_MATCH = ifMatch('what is changed');

interface Item {
  readonly retired_at: string | null;
}

/** A page of those in use that fit. */
export const pageIn = <T extends Item>(
  all: readonly T[],
  query: { page?: number; per_page?: number },
  fits: (item: T) => boolean,
) => {
  const paging = pagingOf(query);
  const found = all.filter((item) => item.retired_at === null && fits(item));
  return listOf(pageFrom(found, paging), paging);
};
