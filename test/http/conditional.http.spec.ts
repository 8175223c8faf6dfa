/** Changes on a condition (`If-Match`): who has not seen what others have changed since does not undo it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { caller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let token = '';
beforeAll(async () => {
  token = await signIn(call, demo, 'admin');
});

const ask = (request: string, body?: object, ifMatch?: string | null) =>
  call(request, { token, ...(body && { body }), ...(ifMatch && { headers: { 'if-match': ifMatch } }) });
const tagOf = async (address: string): Promise<string> => (await ask(`GET ${address}`)).headers.get('etag') ?? '';

describe.each([
  ['hotels', 'hotels'],
  ['tours', 'tours'],
  ['restaurants', 'restaurants'],
  ['transfers', 'transfers/routes'],
  ['instructors', 'instructors'],
  ['companies', 'companies'],
])('%s', (path, list) => {
  let address = '';
  let before = '';
  beforeAll(async () => {
    const { body } = await ask(`GET /api/v1/${list}?per_page=1`);
    address = `/api/v1/${path}/${body.data[0].id}`;
    before = body.data[0].description;
  });

  it('are changed once by two who have read the same', async () => {
    const tag = await tagOf(address);
    expect(tag).toMatch(/^"\d+-/);
    const answers = await Promise.all(
      ['One', 'Two'].map((description) => ask(`PATCH ${address}`, { description }, tag)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect(answers.find(({ status }) => status === 412)?.body.code).toBe('outdated_revision');
    // The answer has the tag for the next change.
    const next = answers.find(({ status }) => status === 200)?.headers.get('etag');
    expect(await tagOf(address)).not.toBe(tag);
    expect(await ask(`PATCH ${address}`, { description: before }, next)).toMatchObject({ status: 200 });
  });

  it('are not closed by who has not seen the last change, and are without a condition', async () => {
    const tag = await tagOf(address);
    expect(await ask(`PATCH ${address}`, { description: `${before}!` }, '*')).toMatchObject({ status: 200 });
    for (const outdated of [tag, '"0-abc"', '"no revision"', `W/${tag}`]) {
      expect(await ask(`DELETE ${address}`, undefined, outdated)).toMatchObject({ status: 412 });
      expect(await ask(`PATCH ${address}`, { status: 'closed' }, outdated)).toMatchObject({ status: 412 });
    }
    const closed = await ask(`DELETE ${address}`, undefined, await tagOf(address));
    expect(closed.status).toBe(204);
    const reopened = { status: 'published', description: before };
    expect(await ask(`PATCH ${address}`, reopened, closed.headers.get('etag'))).toMatchObject({ status: 200 });
    expect(await ask(`PATCH ${address}`, { description: before })).toMatchObject({ status: 200 });
  });
});

it('posts are changed and deleted on a condition, too', async () => {
  const texts = { en: { title: 'Snow', summary: 'Much', body: 'Very much.' }, ru: null };
  const made = await ask('POST /api/v1/admin/posts', { kind: 'news', texts });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const address = `/api/v1/admin/posts/${made.body.id}`;
  const tag = await tagOf(address);
  const changed = await ask(`PATCH ${address}`, { link: 'https://example.test/snow' }, tag);
  expect(changed).toMatchObject({ status: 200 });
  expect(await ask(`PATCH ${address}`, { link: null }, tag)).toMatchObject({ status: 412 });
  expect(await ask(`DELETE ${address}`, undefined, tag)).toMatchObject({ status: 412 });
  expect(await ask(`DELETE ${address}`, undefined, changed.headers.get('etag'))).toMatchObject({ status: 204 });
});

it('lifts are not retired by who has not seen the last change', async () => {
  const { body } = await ask('GET /api/v1/resort/lifts?per_page=1');
  const address = `/api/v1/resort/lifts/${body.data[0].id}`;
  expect(await ask(`DELETE ${address}`, undefined, '"999999-x"')).toMatchObject({
    status: 412,
    body: { code: 'outdated_revision' },
  });
});
