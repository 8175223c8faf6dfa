/** The channels and frames of `asyncapi.json` as types of the client. */
import type { OpenApi, Schema } from './operations.ts';

interface Message {
  readonly summary?: string;
  readonly payload: Schema & { readonly properties: Readonly<Record<string, Schema>> };
  readonly 'x-openapi-schema'?: string;
}
type Refs = Readonly<Record<string, { readonly $ref: string }>>;

export interface AsyncApi {
  readonly channels: Readonly<
    Record<string, { readonly address: string; readonly description: string; readonly messages: Refs }>
  >;
  readonly operations: {
    readonly send_frame: { readonly messages: readonly { readonly $ref: string }[] };
    readonly receive_frame: { readonly messages: readonly { readonly $ref: string }[] };
  };
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
  readonly 'x-close-codes': Readonly<Record<string, { readonly code: number; readonly reason: string }>>;
}

const last = ({ $ref }: { readonly $ref: string }): string => $ref.slice($ref.lastIndexOf('/') + 1);
const object = (properties: Readonly<Record<string, unknown>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const closed = (properties: Readonly<Record<string, unknown>>): Schema =>
  Object.keys(properties).length > 0 ? object(properties) : { type: 'object', additionalProperties: false };

/** Name of a channel → the addresses as a pattern, the rows of its changes by entity, its ephemeral messages by type. */
export const channelsOf = ({ channels, components }: AsyncApi, openapi: OpenApi): Record<string, Schema> => {
  const dataOf = (message: Message): unknown => {
    const name = message['x-openapi-schema'];
    return name !== undefined && name in openapi.components.schemas
      ? { $ref: `#/components/schemas/${name}` }
      : message.payload.properties.data;
  };
  return Object.fromEntries(
    Object.entries(channels)
      .filter(([name]) => name !== 'control')
      .map(([name, { messages }]) => {
        const changes: Record<string, unknown> = {};
        const ephemeral: Record<string, unknown> = {};
        for (const ref of Object.values(messages)) {
          const message = components.messages[last(ref)] as Message;
          const type = message.payload.properties.type ?? {};
          if (Array.isArray(type.enum)) changes[String(type.enum[0]).split('.')[0] ?? ''] = dataOf(message);
          else ephemeral[String(type.const)] = dataOf(message);
        }
        return [name, object({ changes: closed(changes), ephemeral: closed(ephemeral) })];
      }),
  );
};

/** The frames of the protocol. */
export const framesOf = ({ operations, components }: AsyncApi): Record<string, Schema> => {
  const union = (refs: readonly { readonly $ref: string }[]): Schema => ({
    anyOf: refs.map((ref) => components.messages[last(ref)]?.payload),
  });
  return {
    $clientFrame: union(operations.send_frame.messages),
    $serverFrame: union(operations.receive_frame.messages),
  };
};

/** Name of a reason → its code. */
export const closeCodesOf = (asyncapi: AsyncApi): Record<string, number> =>
  Object.fromEntries(Object.entries(asyncapi['x-close-codes']).map(([name, { code }]) => [name, code]));
