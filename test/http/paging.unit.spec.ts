import { expect, it } from 'vitest';
import { listOf, pagingOf } from '../../api/http/paging.ts';
import { exactly, pageFrom, totalOf, windowOf } from '../../infra/paging.ts';

it('refuses pages beyond row 10,000 of a long list, and says what to do instead', () => {
  const listed = (counted: number, query: object) => listOf({ rows: [], total: totalOf(counted) }, pagingOf(query));
  for (const query of [{ page: 500 }, { page: 100, per_page: 100 }])
    expect(listed(1_001, query)).toMatchObject({ total: 1_000, ...query });
  for (const query of [{ page: 501 }, { page: 101, per_page: 100 }])
    expect(() => listed(1_001, query)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [{ pointer: '/query/page', code: 'too_deep', detail: expect.stringContaining('filters') }],
      }),
    );
});

it('reads nothing of a page beyond reach, and answers an empty one where the list has ended before', () => {
  expect(windowOf({ page: 501, perPage: 20 })).toEqual({ limit: 0, offset: 0 });
  expect(windowOf({ page: 500, perPage: 20 })).toEqual({ limit: 20, offset: 9_980 });
  expect(listOf({ rows: [], total: totalOf(1_000) }, { page: 999_999, perPage: 20 })).toMatchObject({ data: [] });
  const all = Array.from({ length: 10_050 }, (_, n) => n);
  const deep = { page: 101, perPage: 100 };
  expect(() => listOf(pageFrom(all, deep), deep)).toThrow('beyond row 10000');
  expect(listOf(pageFrom(all, { page: 100, perPage: 100 }), { page: 100, perPage: 100 }).data).toHaveLength(100);
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
