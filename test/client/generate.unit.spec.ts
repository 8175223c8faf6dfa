/** What the client makes of the OpenAPI document: calls and their inputs. */
import { describe, expect, it } from 'vitest';
import { type OpenApi, operationsOf } from '../../client/generate/operations.ts';
import type { AsyncApi } from '../../client/generate/realtime.ts';
import { generatedFiles } from '../../client/generate/source.ts';
import { requestOf } from '../../client/rest/request.ts';

const json = (schema: object) => ({ 'application/json': { schema } });
const text = { type: 'string' };
const parameter = (name: string, where: string) => ({ name, in: where, required: where === 'path', schema: text });

const documentOf = (path: string, method: string, operation: object): OpenApi =>
  ({
    paths: {
      [path]: {
        [method]: { operationId: 'it', summary: 'Do it', responses: { 200: { content: json(text) } }, ...operation },
      },
    },
    components: {
      schemas: { Body: { type: 'object', properties: { text } } },
      parameters: { page: parameter('page', 'query'), 'idempotency-key': parameter('Idempotency-Key', 'header') },
    },
  }) as unknown as OpenApi;
const only = (...document: Parameters<typeof documentOf>) => operationsOf(documentOf(...document))[0];

describe('an operation', () => {
  it('takes path, query and body as one object', () => {
    const operation = only('/things/{id}', 'post', {
      description: 'More.',
      security: [{ bearer: [] }],
      parameters: [
        parameter('id', 'path'),
        { $ref: '#/components/parameters/page' },
        { $ref: '#/components/parameters/idempotency-key' },
      ],
      requestBody: { content: json({ $ref: '#/components/schemas/Body' }) },
    });
    expect(operation).toEqual({
      id: 'it',
      summary: 'Do it. More.',
      call: { method: 'POST', path: '/things/{id}', query: ['page'], body: 'json', bearer: true, idempotent: true },
      input: {
        allOf: [
          { type: 'object', properties: { id: text, page: text }, required: ['id'] },
          { $ref: '#/components/schemas/Body' },
        ],
      },
      reply: text,
    });
  });

  it('cannot have one name in its address and in its body', () => {
    const parts = {
      parameters: [parameter('text', 'path')],
      requestBody: { content: json({ anyOf: [{ $ref: '#/components/schemas/Body' }] }) },
    };
    expect(() => only('/things/{text}', 'put', parts)).toThrow('it has text in its address and in its body');
  });

  it('can take a form and answer a file', () => {
    const form = { 'multipart/form-data': { schema: { $ref: '#/components/schemas/Body' } } };
    const file = { 200: { content: { 'image/webp': { schema: text } } } };
    const operation = only('/files', 'post', { requestBody: { content: form }, responses: file });
    expect(operation?.call).toEqual({ method: 'POST', path: '/files', body: 'form' });
    expect(operation?.reply).toEqual({ type: 'string', format: 'binary' });
  });

  it('is none of the client when it only redirects a browser, or has no body of its own', () => {
    expect(only('/away', 'get', { responses: { 302: {} } })).toBeUndefined();
    expect(only('/things', 'head', {})).toBeUndefined();
  });

  it('can answer nothing', () => {
    expect(only('/things', 'delete', { responses: { 204: {} } })).toMatchObject({ input: undefined, reply: undefined });
  });
});

describe('a request', () => {
  it('repeats a field that is a list, and leaves out what is not given', () => {
    const call = { method: 'GET', path: '/things', query: ['tag', 'page', 'q'] };
    expect(requestOf(call, { tag: ['a b', 'c'], page: 2, q: undefined })).toMatchObject({
      address: '/things?tag=a+b&tag=c&page=2',
      body: undefined,
    });
  });

  it('sends files as a form', () => {
    const call = { method: 'POST', path: '/files', query: ['folder'], body: 'form' } as const;
    const file = new Blob(['x'], { type: 'image/png' });
    const { address, body, contentType } = requestOf(call, { folder: 'chat', file, note: 'hello', extra: { a: 1 } });
    expect([address, contentType]).toEqual(['/files?folder=chat', undefined]);
    const fields = Object.fromEntries(body as FormData);
    expect(fields).toMatchObject({ note: 'hello', extra: '{"a":1}' });
    expect(fields.file).toMatchObject({ size: 1, type: 'image/png' });
  });
});

it('the types name what each operation takes and answers; a file is a Blob', async () => {
  const file = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } };
  const openapi = documentOf('/files', 'post', {
    requestBody: { content: { 'multipart/form-data': { schema: file } } },
  });
  const frames = { messages: [] };
  const asyncapi = {
    channels: {
      room: {
        address: 'room_{id}',
        description: 'A room.',
        messages: { thing: { $ref: '#/m/thing' }, typed: { $ref: '#/m/typed' } },
      },
      lifts: { address: 'lift_queues', description: 'The lifts.', messages: {} },
    },
    operations: { send_frame: frames, receive_frame: frames },
    components: {
      messages: {
        thing: {
          'x-openapi-schema': 'Body',
          payload: { properties: { type: { enum: ['thing.created', 'thing.removed'] }, data: text } },
        },
        typed: { payload: { properties: { type: { const: 'typing.started' }, data: text } } },
      },
    },
    'x-close-codes': { going_away: { code: 4000, reason: '' } },
  } as unknown as AsyncApi;
  const { 'types.ts': types = '', 'realtime.ts': realtime = '' } = await generatedFiles(openapi, asyncapi);
  expect(types.replace(/\s+/g, ' ')).toContain(
    '/** @description Do it */ it: { input: { /** Format: binary */ file: Blob; }; reply: string; };',
  );
  expect(types.replace(/\s+/g, ' ')).toContain(
    'room: { changes: { thing: components["schemas"]["Body"]; }; ephemeral: { "typing.started": string; }; };',
  );
  expect(realtime).toMatch(/room: \(id: string\) => `room_\$\{id\}` as const,/);
  expect(realtime).toContain('lifts: () => `lift_queues` as const,');
});
