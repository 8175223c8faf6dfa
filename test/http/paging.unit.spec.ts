import { expect, it } from 'vitest';
import { listOf, pagingOf } from '../../api/http/paging.ts';
import { exactly, totalOf } from '../../infra/paging.ts';

it('refuses pages beyond row 10,000, and says what to do instead', () => {
  expect(pagingOf({ page: 500 })).toEqual({ page: 500, perPage: 20 });
  expect(pagingOf({ page: 100, per_page: 100 })).toEqual({ page: 100, perPage: 100 });
  for (const query of [{ page: 501 }, { page: 101, per_page: 100 }])
    expect(() => pagingOf(query)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [{ pointer: '/query/page', code: 'too_deep', detail: expect.stringContaining('filters') }],
      }),
    );
});

it('says of a total that was counted no further that it is at least so many', () => {
  const paging = { page: 1, perPage: 20 };
  expect(listOf({ rows: [], total: exactly(70_000) }, paging)).toEqual({
    data: [],
    total: 70_000,
    page: 1,
    per_page: 20,
  });
  expect(listOf({ rows: [], total: totalOf(1_001) }, paging)).toMatchObject({ total: 1_000, total_is_at_least: true });
});
