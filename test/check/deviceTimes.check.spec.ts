/** Where a device says when something happened, it also says when it sent the request: a clock that is wrong is corrected. */
import type { TSchema } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { routes } from '../../api/modules.ts';

/** Names of the times in a body, also in its lists. */
const timesIn = (schema: TSchema | undefined): string[] => {
  if (!schema) return [];
  if (schema.type === 'array') return timesIn(schema.items);
  if (schema.anyOf) return schema.anyOf.flatMap(timesIn);
  return Object.entries((schema.properties ?? {}) as Record<string, TSchema>).flatMap(([name, each]) => [
    ...(each.format === 'date-time' ? [name] : []),
    ...timesIn(each),
  ]);
};

/** When the device sent the request. */
const SENT = ['sent_at', 'device_time'];
/** Times that people choose, or of what is ahead: the clock of no device is behind them. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  ...{ bookTour: ['slot_start'], bookTable: ['slot_start'], bookTransfer: ['slot_start'] },
  ...{ bookLesson: ['slot_start', 'slot_end'], updateBooking: ['slot_start', 'slot_end'] },
  ...{ getChangeQuote: ['slot_start', 'slot_end'], shareTrack: ['expires_at'] },
};

it('every body with the time of a device has the time at which it was sent', () => {
  const found = routes.flatMap(({ id, access, spec }) => {
    const names = timesIn(spec.body);
    const isOfDevice = access !== 'admin' && names.length > 0 && !SENT.some((name) => names.includes(name));
    return isOfDevice ? [[id, names] as const] : [];
  });
  expect(Object.fromEntries(found)).toEqual(CHOSEN);
});
