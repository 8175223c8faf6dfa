import { Type } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { asyncApi } from '../../realtime/hub/asyncapi.ts';
import { channels } from '../../realtime/hub/channels.ts';
import { defaultLimits } from '../../realtime/hub/limits.ts';
import { clientFrames, closeCodes, errorCodes, serverFrames } from '../../realtime/hub/protocol.ts';

const document = JSON.parse(
  JSON.stringify(
    asyncApi(
      '1.0.0',
      [{ name: 'booking', entity: 'booking', row: Type.Object({ id: Type.String() }), channels: ['user'] }],
      defaultLimits,
    ),
  ),
);

test('every frame, channel, alias, code and row is in the document', () => {
  expect(Object.keys(document.components.messages)).toEqual([
    ...Object.keys(clientFrames),
    ...Object.keys(serverFrames),
    'booking',
  ]);
  for (const [name, { address, aliases }] of Object.entries(channels)) {
    expect(document.channels[name].address).toBe(address);
    expect(Object.keys(document.channels[name].messages)).toEqual(name === 'user' ? ['booking'] : []);
    for (const alias of aliases) expect(document.channels[name].description).toContain(alias);
  }
  for (const { code } of Object.values(closeCodes)) expect(document.info.description).toContain(`| ${code} |`);
  for (const code of Object.keys(errorCodes)) expect(document.info.description).toContain(`| ${code} |`);
  const { properties } = document.components.messages.booking.payload;
  expect(properties.type.enum).toEqual(['booking.created', 'booking.updated', 'booking.removed']);
  expect(properties.data.properties).toHaveProperty('id');
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  expect(references.length).toBeGreaterThan(20);
  for (const path of references) {
    const target = path.split('/').reduce((value, key) => value?.[key], document);
    expect(target, path).toBeDefined();
  }
});
