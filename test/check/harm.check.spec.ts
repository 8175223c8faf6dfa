/** Every operation that not everybody may use says which harm a stolen token could do with it, or why none. */
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import type { Access } from '../../api/http/access.ts';
import { type Harm, mustSayHarm, provedFor } from '../../api/http/harm.ts';
import { route } from '../../api/http/route.ts';
import { routes } from '../../api/modules.ts';

/** Operations whose path says that they are for admins or sellers, although everybody may try them. */
const isForTheirWork = /\/(admin|provider)(\/|$)/;
const says = ({ access, path, harm }: { access: Access; path: string; harm?: Harm }): boolean =>
  harm !== undefined || !(mustSayHarm(access) || isForTheirWork.test(path));

it('every operation for admins, sellers, auditors and machines says its harm', () => {
  expect(routes.filter((declared) => !says(declared)).map(({ key }) => key)).toEqual([]);
});

it('whoever says none says why', () => {
  const reasons = routes.flatMap(({ key, harm }) =>
    typeof harm === 'object' && 'none' in harm ? [[key, harm.none]] : [],
  );
  expect(reasons.filter(([, why = '']) => why.split(' ').length < 3)).toEqual([]);
});

it('fields that ask for a proof are fields of the body', () => {
  for (const { key, harm, spec } of routes)
    for (const field of provedFor(harm)?.fields ?? [])
      expect(Object.keys(spec.body?.properties ?? {}), key).toContain(field);
});

it('a declaration for admins without a harm does not compile', () => {
  const spec = {
    id: 'getNothing',
    access: 'admin',
    summary: 'Get nothing',
    reply: Type.Null(),
    handle: () => null,
  } as const;
  // @ts-expect-error: it says no harm
  const declared = route('GET /api/v1/admin/nothing', spec);
  expect(says(declared)).toBe(false);
});
