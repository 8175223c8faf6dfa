/** Every operation that changes something honours `Idempotency-Key`, or says why a key has no effect on it. */
import { expect, it } from 'vitest';
import { openApi } from '../../api/http/openapi.ts';
import { honoursKey } from '../../api/http/route.ts';
import { routes } from '../../api/modules.ts';

const changing = routes.filter(({ method }) => method !== 'GET');
const honouring = changing.filter(honoursKey);
const keysOf = (declared: readonly { readonly key: string }[]) => declared.map(({ key }) => key);

it('only operations that change something say that they ignore keys, and why', () => {
  const ignoring = routes.filter(({ spec }) => spec.ignoresKey !== undefined);
  expect(keysOf(ignoring.filter(({ method }) => method === 'GET'))).toEqual([]);
  expect(keysOf(ignoring.filter(({ spec: { ignoresKey = '' } }) => ignoresKey.split(' ').length < 3))).toEqual([]);
});

it('nobody honours the key of a caller who is not known, whose answer somebody else could get', () => {
  const isUnknown = /^(public|signed|emergency)$/;
  expect(keysOf(honouring.filter(({ access }) => isUnknown.test(access)))).toEqual([]);
});

it('what honours keys has a body that can be compared, and an answer that can be kept', () => {
  const isForm = honouring.filter(({ spec }) => spec.form !== undefined);
  expect(keysOf(isForm.filter(({ spec }) => spec.digestOf === undefined))).toEqual([]);
  expect(keysOf(honouring.filter(({ spec }) => spec.itemwise !== undefined || spec.repeated !== undefined))).toEqual(
    [],
  );
});

it('the document shows the header, or says that a key has no effect', () => {
  const { paths } = openApi(routes, '1') as {
    paths: Record<string, Record<string, { parameters?: { $ref?: string }[]; description?: string }>>;
  };
  for (const route of changing) {
    const operation = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    const isShown = operation?.parameters?.some(({ $ref }) => $ref === '#/components/parameters/idempotency-key');
    expect(isShown ?? false, route.key).toBe(honoursKey(route));
    expect(/`Idempotency-Key` is accepted and has no effect/.test(operation?.description ?? ''), route.key).toBe(
      !honoursKey(route),
    );
  }
});
