/**
 * Makes the generated part of the client from `openapi.json` and `asyncapi.json`. It is not part of the package: a check
 * runs it and compares (`test/check/client.check.spec.ts`).
 */
import openapiTS from 'openapi-typescript';
import { type OpenApi, type Operation, operationsOf, type Schema } from './operations.ts';
import { type AsyncApi, channelsOf, closeCodesOf, framesOf } from './realtime.ts';

const HEAD = '// Generated from openapi.json and asyncapi.json: see CONTRIBUTING.md, "Update committed documents".\n';

/** An object schema whose fields are all there. */
const record = (properties: Readonly<Record<string, Schema>>, description?: string): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...(description && { description }),
});

/** What an operation takes and answers, as one type. Its summary becomes the comment of the method. */
const operationType = ({ summary, input, reply }: Operation): Schema =>
  record({ ...(input && { input }), ...(reply && { reply }) }, summary);

/** Every type of the client, from the schemas of both documents. */
const typesText = async (openapi: OpenApi, asyncapi: AsyncApi): Promise<string> => {
  const named = Object.keys(openapi.components.schemas);
  const document = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: {
      schemas: {
        ...openapi.components.schemas,
        $operations: record(
          Object.fromEntries(operationsOf(openapi).map((operation) => [operation.id, operationType(operation)])),
        ),
        $channels: record(channelsOf(asyncapi, openapi)),
        ...framesOf(asyncapi),
      },
    },
  };
  const text = await openapiTS(document as never, {
    commentHeader: '',
    transform: (schema) => ('format' in schema && schema.format === 'binary' ? 'Blob' : undefined),
  });
  const components = text.slice(text.indexOf('export interface components'), text.indexOf('export type $defs'));
  return `${HEAD}
${components.trim()}

type Schemas = components['schemas'];

/** What each operation takes and answers. */
export type Operations = Schemas['$operations'];

/** What each channel carries. */
export type Channels = Schemas['$channels'];

export type ClientFrame = Schemas['$clientFrame'];
export type ServerFrame = Schemas['$serverFrame'];

${named.map((name) => `export type ${name} = Schemas['${name}'];`).join('\n')}
`;
};

const literal = (value: unknown): string => JSON.stringify(value);

/** How each operation is called. */
const operationsText = (openapi: OpenApi): string => `${HEAD}import type { Call } from '../rest/call.ts';

export const operations = {
${operationsOf(openapi)
  .map(({ id, call }) => `  ${id}: ${literal(call)},`)
  .join('\n')}
} as const satisfies Readonly<Record<string, Call>>;
`;

/** The names of the channels, and why the hub closes a socket. */
const realtimeText = (asyncapi: AsyncApi): string => {
  const parts = Object.entries(asyncapi.channels).filter(([name]) => name !== 'control');
  const lines = parts.map(([name, { address, description }]) => {
    const hasId = address.includes('{id}');
    const path = `\`${address.replace('{id}', '$' + '{id}')}\` as const`;
    return `  /** ${description} */\n  ${name}: (${hasId ? 'id: string' : ''}) => ${path},`;
  });
  return `${HEAD}
/** Addresses of the channels. */
export const channels = {
${lines.join('\n')}
};

/** Why the hub closes a socket. */
export const closeCodes = ${JSON.stringify(closeCodesOf(asyncapi), undefined, 2)} as const;
`;
};

/** The files of `client/generated`, by name. */
export const generatedFiles = async (openapi: OpenApi, asyncapi: AsyncApi): Promise<Record<string, string>> => ({
  'types.ts': await typesText(openapi, asyncapi),
  'operations.ts': operationsText(openapi),
  'realtime.ts': realtimeText(asyncapi),
});
