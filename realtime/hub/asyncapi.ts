/** AsyncAPI 3.0 from the declarations: frames, channels, limits, codes, and the rows that messages carry. */
import type { TSchema } from '@sinclair/typebox';
import type { Payload } from '../../projections/engine/payloads.ts';
import { type ChannelDeclaration, channels } from './channels.ts';
import type { Limits } from './limits.ts';
import { clientFrames, closeCodes, Envelope, errorCodes, serverFrames } from './protocol.ts';

const ref = (path: string) => ({ $ref: `#/${path}` });
const refs = (path: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ref(`${path}/${name}`)]));
const table = (head: string, rows: readonly (readonly [unknown, string])[]): string =>
  [`| ${head} | meaning |`, '|---|---|', ...rows.map(([key, meaning]) => `| ${key} | ${meaning} |`)].join('\n');

const description = (limits: Limits): string => `
One WebSocket at \`/ws\` carries all channels as JSON text frames. Authenticate with \`Authorization: Bearer\` at the
upgrade or with an \`auth\` frame within ${limits.authMs / 1_000} s; never in the URL. Before the token expires send
another \`auth\` frame. Remember \`epoch\` and \`offset\` of the last message of each channel and send them as \`since\`
when you subscribe again: what was missed follows, without gap or double. \`recovered: false\` = read the state over REST.

Frames are at most ${limits.frameBytes / 1024} KiB, ${limits.framesPerSecond} a second; a socket hears at most
${limits.subscriptions} channels, an account has at most ${limits.socketsPerAccount} sockets. Silence for
${limits.idleSeconds} s ends a socket; the server pings before that.

${table(
  'close code',
  Object.values(closeCodes).map(({ code, reason }) => [code, reason]),
)}

${table('error code', Object.entries(errorCodes))}
`;

const messageOf = (schema: TSchema) => ({ summary: schema.description, payload: schema });

/** The envelope with this row as its data. */
const changeMessage = ({ entity, row }: Payload) => ({
  summary: `A ${entity} was created, updated or removed.`,
  payload: {
    ...Envelope,
    properties: {
      ...Envelope.properties,
      type: { enum: ['created', 'updated', 'removed'].map((verb) => `${entity}.${verb}`) },
      data: row,
    },
  },
});

const dataChannel = ({ address, aliases, summary }: ChannelDeclaration, messages: readonly string[]) => ({
  address,
  description: [summary, ...aliases.map((alias) => `Also written \`${alias}\`.`)].join(' '),
  parameters: { id: { description: 'UUID' } },
  messages: refs('components/messages', messages),
});

export const asyncApi = (version: string, payloads: readonly Payload[], limits: Limits): object => {
  const toldOn = (name: string): string[] =>
    payloads.filter(({ channels: carriers }) => carriers.includes(name)).map(({ name: message }) => message);
  const [asked, told] = [Object.keys(clientFrames), Object.keys(serverFrames)];
  const frames = { ...clientFrames, ...serverFrames };
  return {
    asyncapi: '3.0.0',
    info: { title: 'Resort booking platform: realtime', version, description: description(limits).trim() },
    defaultContentType: 'application/json',
    servers: {
      hub: {
        host: 'localhost:8081',
        protocol: 'ws',
        pathname: '/ws',
        security: [ref('components/securitySchemes/bearer')],
      },
    },
    channels: {
      control: {
        address: '/ws',
        description: 'Frames that are about the socket itself.',
        messages: refs('components/messages', [...asked, ...told]),
      },
      ...Object.fromEntries(
        Object.entries(channels).map(([name, declaration]) => [name, dataChannel(declaration, toldOn(name))]),
      ),
    },
    operations: {
      ask: {
        action: 'receive',
        channel: ref('channels/control'),
        messages: asked.map((name) => ref(`channels/control/messages/${name}`)),
      },
      answer: {
        action: 'send',
        channel: ref('channels/control'),
        messages: told.map((name) => ref(`channels/control/messages/${name}`)),
      },
      ...Object.fromEntries(
        Object.keys(channels).map((name) => [`tell_${name}`, { action: 'send', channel: ref(`channels/${name}`) }]),
      ),
    },
    components: {
      messages: {
        ...Object.fromEntries(Object.entries(frames).map(([name, schema]) => [name, messageOf(schema)])),
        ...Object.fromEntries(payloads.map((payload) => [payload.name, changeMessage(payload)])),
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
};
