/** How the name that a client sends leads to a channel. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createFindChannel } from '../../realtime/hub/channels.ts';
import { channels } from '../../realtime/modules.ts';
import { createEmptyDb } from '../kit/projected.ts';

const find = createFindChannel(channels, createEmptyDb());
const who = { accountId: randomUUID(), role: 'tourist' };

it('finds a channel with an id, whose case does not matter', async () => {
  const channel = find(`realtime:user_${who.accountId.toUpperCase()}`);
  expect(channel?.canonical).toBe(`realtime:user_${who.accountId}`);
  expect(await channel?.allows(who)).toBe(true);
});

it('finds a channel that exists once, by its address and its alias', async () => {
  for (const name of ['lift_queues', 'realtime:lift_queues']) {
    expect(find(name)?.canonical).toBe('lift_queues');
    expect(await find(name)?.allows(who)).toBe(true);
  }
});

it.each(['', 'lift_queues_', `lift_queues_${who.accountId}`, 'lift_queues2', 'realtime:user_', 'realtime:user_{id}'])(
  'finds no channel of the name "%s"',
  (name) => expect(find(name)).toBeUndefined(),
);
