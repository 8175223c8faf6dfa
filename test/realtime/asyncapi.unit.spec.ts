import { Type } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { asyncApi } from '../../realtime/hub/asyncapi.ts';
import { defaultLimits } from '../../realtime/hub/limits.ts';
import { clientFrames, closeCodes, errorCodes, serverFrames } from '../../realtime/hub/protocol.ts';
import { channels } from '../../realtime/modules.ts';

const document = JSON.parse(
  JSON.stringify(
    asyncApi(
      '1.0.0',
      channels,
      [
        {
          name: 'booking',
          entity: 'booking',
          row: Type.Object({ id: Type.String() }),
          schema: 'Booking',
          channels: ['user'],
        },
      ],
      defaultLimits,
    ),
  ),
);

const ephemeralOf = ({ ephemeral = [], showsPresence }: (typeof channels)[number]) => [
  ...ephemeral.map(({ type }) => type.replace('.', '_')),
  ...(showsPresence ? ['presence_online', 'presence_offline'] : []),
];

test('contains every frame, channel, alias, code and row', () => {
  expect(Object.keys(document.components.messages)).toEqual([
    ...Object.keys(clientFrames),
    ...Object.keys(serverFrames),
    'booking',
    ...channels.flatMap(ephemeralOf),
  ]);
  for (const channel of channels) {
    const { name, address, aliases } = channel;
    expect(document.channels[name].address).toBe(address);
    expect(Object.keys(document.channels[name].parameters ?? {})).toEqual(address.includes('{id}') ? ['id'] : []);
    const changes = name === 'user' ? ['booking'] : [];
    expect(Object.keys(document.channels[name].messages)).toEqual([...changes, ...ephemeralOf(channel)]);
    for (const alias of aliases) expect(document.channels[name].description).toContain(alias);
  }
  for (const { code } of Object.values(closeCodes)) expect(document.info.description).toContain(`| ${code} |`);
  for (const code of Object.keys(errorCodes)) expect(document.info.description).toContain(`| ${code} |`);
  const { properties } = document.components.messages.booking.payload;
  expect(properties.type.enum).toEqual(['booking.created', 'booking.updated', 'booking.removed']);
  expect(properties.data.properties).toHaveProperty('id');
});

test('resolves every reference', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  expect(references.length).toBeGreaterThan(20);
  for (const path of references) {
    const target = path.split('/').reduce((value, key) => value?.[key], document);
    expect(target, path).toBeDefined();
  }
});
