/** The operations of `openapi.json` as the client calls them. */
import type { Call } from '../rest/call.ts';

export type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
type Ref = { readonly $ref: string };
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content } | Ref>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly call: Call;
  /** Path, query and body as one object; undefined: it takes nothing. */
  readonly input: Schema | undefined;
  /** Undefined: it answers nothing. */
  readonly reply: Schema | undefined;
}

const FORM = 'multipart/form-data';

const resolve = (openapi: OpenApi, parameter: Parameter | Ref): Parameter => {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.slice('#/components/parameters/'.length);
  return openapi.components.parameters[name] as Parameter;
};

/** The names of the fields that an object of this schema can have. */
const fieldsOf = (openapi: OpenApi, schema: Schema | undefined): string[] => {
  if (!schema) return [];
  if (typeof schema.$ref === 'string')
    return fieldsOf(openapi, openapi.components.schemas[schema.$ref.slice('#/components/schemas/'.length)]);
  const parts = [schema.oneOf, schema.anyOf, schema.allOf].flatMap((each) => (each ?? []) as Schema[]);
  return [...Object.keys(schema.properties ?? {}), ...parts.flatMap((part) => fieldsOf(openapi, part))];
};

const inputOf = (parameters: readonly Parameter[], body: Schema | undefined): Schema | undefined => {
  if (parameters.length === 0) return body;
  const described = ({ description, schema }: Parameter) => (description ? { ...schema, description } : schema);
  const fields = {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, described(parameter)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  return body ? { allOf: [fields, body] } : fields;
};

/** The schema of the success; a reply that is neither JSON nor text is a file. */
const replyOf = ({ responses }: DocumentedOperation): Schema | undefined => {
  const status = Object.keys(responses).find((code) => Number(code) < 300);
  const response = status ? responses[status] : undefined;
  if (!response || '$ref' in response) return undefined;
  const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return undefined;
  return /json|^text\/plain/.test(type) ? content.schema : { type: 'string', format: 'binary' };
};

const operationOf = (openapi: OpenApi, path: string, method: string, documented: DocumentedOperation): Operation => {
  const all = (documented.parameters ?? []).map((parameter) => resolve(openapi, parameter));
  const parameters = all.filter((parameter) => parameter.in !== 'header');
  const content = documented.requestBody?.content;
  const bodyType = content && (FORM in content ? FORM : Object.keys(content)[0]);
  const body = bodyType ? content?.[bodyType]?.schema : undefined;
  const inBody = fieldsOf(openapi, body);
  const doubled = parameters.filter(({ name }) => inBody.includes(name)).map(({ name }) => name);
  if (doubled.length > 0)
    throw new Error(`${documented.operationId} has ${doubled.join(', ')} in its address and in its body: rename one`);
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const schemes = (documented.security ?? []).flatMap((each) => Object.keys(each));
  return {
    id: documented.operationId,
    summary: [documented.summary, documented.description].filter(Boolean).join('. '),
    input: inputOf(parameters, body),
    reply: replyOf(documented),
    call: {
      method: method.toUpperCase(),
      path,
      ...(query.length > 0 && { query }),
      ...(body && { body: bodyType === FORM ? 'form' : 'json' }),
      ...(schemes.includes('bearer') && { bearer: true }),
      ...(schemes.includes('apiKey') && { apiKey: true }),
      ...(all.some(({ name }) => name.toLowerCase() === 'idempotency-key') && { idempotent: true }),
    },
  };
};

/** Answers a browser that goes there, and no program: the client has no method for it. */
const isRedirect = ({ responses }: DocumentedOperation): boolean => '302' in responses;

export const operationsOf = (openapi: OpenApi): Operation[] =>
  Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, documented]) => method !== 'head' && !isRedirect(documented))
      .map(([method, documented]) => operationOf(openapi, path, method, documented)),
  );
