/** Makes the AsyncAPI 3.0 document from the declarations: frames, channels, limits, codes, and the rows in messages. */
import type { TSchema } from '@sinclair/typebox';
import type { Payload } from '../../projections/engine/payloads.ts';
import type { ChannelDeclaration, EphemeralDeclaration } from './channels.ts';
import type { Limits } from './limits.ts';
import { presenceMessages } from './presence.ts';
import { clientFrames, closeCodes, Envelope, EphemeralFrame, errorCodes, serverFrames } from './protocol.ts';

const ref = (path: string) => ({ $ref: `#/${path}` });
const refs = (path: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ref(`${path}/${name}`)]));
const table = (head: string, rows: readonly (readonly [unknown, string])[]): string =>
  [`| ${head} | meaning |`, '|---|---|', ...rows.map(([key, meaning]) => `| ${key} | ${meaning} |`)].join('\n');

const description = (limits: Limits): string => `
One WebSocket at \`/ws\` carries all channels as JSON text frames. The same WebSocket is also at \`/ws\` of the REST
API, so that one base URL serves both. Authenticate with \`Authorization: Bearer\` at the upgrade or with an \`auth\`
frame within ${limits.authMs / 1_000} s; never in the URL. Send another \`auth\` frame before the token expires.
Either way a token that is not accepted closes the socket with ${closeCodes.bad_token.code}.

Store \`epoch\` and \`offset\` of the last message of each channel and send them as \`since\` when you subscribe again:
the server sends every change that you missed, once and in order; what was deleted or edited since shows no former text.
After \`recovered: false\`, read the state over REST.
A REST reply that is requested with \`Prefer: channel-offset\` says in \`x-channel-offset\` which changes it shows.

When the server stops, it closes the sockets with ${closeCodes.going_away.code}. Reconnect after a random part of a second: another server, or the
next one at this address, goes on from your cursor. The client in \`client/\` does all of this.

A frame has at most ${limits.frameBytes / 1024} KiB, \`publish\` ${limits.publishBytes / 1024}. A socket may send ${limits.framesPerSecond} frames a second and have
${limits.subscriptions} subscriptions; an account may have ${limits.socketsPerAccount} sockets. The server pings, and closes
a socket that is silent for ${limits.idleSeconds} s.

${table(
  'close code',
  Object.values(closeCodes).map(({ code, reason }) => [code, reason]),
)}

${table('error code', Object.entries(errorCodes))}
`;

const messageOf = (schema: TSchema) => ({ summary: schema.description, payload: schema });

/** The envelope with this row as its data. */
const changeMessage = ({ entity, row, schema }: Payload) => ({
  summary: `A ${entity} was created, updated or removed.`,
  payload: {
    ...Envelope,
    properties: {
      ...Envelope.properties,
      type: { enum: ['created', 'updated', 'removed'].map((verb) => `${entity}.${verb}`) },
      data: row,
    },
  },
  ...(schema && { 'x-openapi-schema': schema }),
});

const ephemeralOf = ({ ephemeral = [], showsPresence }: ChannelDeclaration): readonly EphemeralDeclaration[] =>
  showsPresence ? [...ephemeral, ...presenceMessages] : ephemeral;
const ephemeralName = (type: string): string => type.replace('.', '_');
const ephemeralMessage = ({ type, summary, data }: EphemeralDeclaration) => ({
  summary,
  payload: { ...EphemeralFrame, properties: { ...EphemeralFrame.properties, type: { const: type }, data } },
});

const dataChannel = ({ address, aliases, summary }: ChannelDeclaration, messages: readonly string[]) => ({
  address,
  description: [summary, ...aliases.map((alias) => `Alias: \`${alias}\`.`)].join(' '),
  ...(address.includes('{id}') && { parameters: { id: { description: 'UUID' } } }),
  'x-aliases': aliases,
  messages: refs('components/messages', messages),
});

const serverAt = (host: string, description: string) => ({
  host,
  description,
  protocol: 'ws',
  pathname: '/ws',
  security: [ref('components/securitySchemes/bearer')],
});

export const asyncApi = (
  version: string,
  channels: readonly ChannelDeclaration[],
  payloads: readonly Payload[],
  limits: Limits,
): object => {
  const messagesOn = (channel: ChannelDeclaration): string[] => [
    ...payloads.filter(({ channels: carriers }) => carriers.includes(channel.name)).map(({ name: message }) => message),
    ...ephemeralOf(channel).map(({ type }) => ephemeralName(type)),
  ];
  const ephemeral = channels.flatMap(ephemeralOf);
  const [fromClients, fromServer] = [Object.keys(clientFrames), Object.keys(serverFrames)];
  const frames = { ...clientFrames, ...serverFrames };
  return {
    asyncapi: '3.0.0',
    info: { title: 'Resort booking platform: realtime', version, description: description(limits).trim() },
    defaultContentType: 'application/json',
    servers: {
      hub: serverAt('localhost:8081', 'The hub itself.'),
      api: serverAt('localhost:8080', 'The base URL of the REST API, which passes the WebSocket on to the hub.'),
    },
    channels: {
      control: {
        address: '/ws',
        description: 'Frames that authenticate the socket and manage its subscriptions.',
        messages: refs('components/messages', [...fromClients, ...fromServer]),
      },
      ...Object.fromEntries(channels.map((channel) => [channel.name, dataChannel(channel, messagesOn(channel))])),
    },
    operations: {
      send_frame: {
        summary: 'Send a frame to the server.',
        action: 'receive',
        channel: ref('channels/control'),
        messages: fromClients.map((name) => ref(`channels/control/messages/${name}`)),
      },
      receive_frame: {
        summary: 'Receive an answer or a notice from the server.',
        action: 'send',
        channel: ref('channels/control'),
        messages: fromServer.map((name) => ref(`channels/control/messages/${name}`)),
      },
      ...Object.fromEntries(
        channels.map(({ name }) => [`publish_${name}`, { action: 'send', channel: ref(`channels/${name}`) }]),
      ),
    },
    'x-close-codes': closeCodes,
    components: {
      messages: {
        ...Object.fromEntries(Object.entries(frames).map(([name, schema]) => [name, messageOf(schema)])),
        ...Object.fromEntries(payloads.map((payload) => [payload.name, changeMessage(payload)])),
        ...Object.fromEntries(ephemeral.map((message) => [ephemeralName(message.type), ephemeralMessage(message)])),
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
};

/** The document as text, as it is committed. */
export const asyncApiText = (...made: Parameters<typeof asyncApi>): string =>
  `${JSON.stringify(asyncApi(...made), undefined, 2).replace(/\{\s+("\$ref": "[^"]+")\s+\}/g, '{ $1 }')}\n`;
