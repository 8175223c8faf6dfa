/** An operation that succeeds with one of several statuses: declared once, with the same reply or another one. */
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { openApi } from '../../api/http/openapi.ts';
import { route, successesOf, WithStatus, withStatus } from '../../api/http/route.ts';

const Thing = Type.Object({ id: Type.String() }, { $id: 'Thing' });
const start = route('POST /api/v1/things', {
  id: 'startThing',
  access: 'user',
  summary: 'Start a thing',
  query: Type.Object({ how: Type.String() }),
  reply: Thing,
  status: 201,
  alternatives: {
    200: { description: 'The thing existed before.' },
    202: { description: 'The thing is made later.', reply: Type.Object({ job: Type.String() }) },
  },
  handle: ({ query: { how } }) => {
    if (how === 'known') return withStatus(200, { id: 'a' });
    return how === 'later' ? withStatus(202, { job: 'b' }) : { id: 'c' };
  },
});

it('lists the usual success first, each with its reply', () => {
  expect([...successesOf(start.spec)].map(([status, { description }]) => [status, description])).toEqual([
    [201, 'Success'],
    [200, 'The thing existed before.'],
    [202, 'The thing is made later.'],
  ]);
});

it('answers with the status that the handler chooses', async () => {
  const answered = await start.handle({ query: { how: 'known' } }, undefined as never);
  expect(answered).toBeInstanceOf(WithStatus);
  expect(answered).toEqual({ status: 200, reply: { id: 'a' } });
});

it('is documented with all of them', () => {
  const document = openApi([{ ...start, service: 'platform' }], '1.0.0') as {
    paths: Record<string, { post: { responses: Record<string, { description: string; content: object }> } }>;
  };
  const { responses } = document.paths['/api/v1/things']?.post ?? { responses: {} };
  const thing = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  expect(responses[201]).toMatchObject({ description: 'Success', content: thing });
  expect(responses[200]).toMatchObject({ description: 'The thing existed before.', content: thing });
  expect(responses[202]?.content).toMatchObject({ 'application/json': { schema: { required: ['job'] } } });
});
