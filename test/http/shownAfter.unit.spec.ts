/** When the handler of a command waits for the read models. */
import { expect, it } from 'vitest';
import { madeBefore, shownAfter } from '../../api/http/shownAfter.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { Position } from '../../domain/core/decider.ts';
import { contextOf } from '../kit/context.ts';

const at: Position = { commit: 7n, prepare: 7n };
const models = [{ name: 'messages' }];

/** @returns the positions that were waited for */
const waits = async (
  work: (context: CommandContext) => Promise<object | null>,
  isRead?: typeof madeBefore,
): Promise<Position[]> => {
  const waited: Position[] = [];
  const reached = async (position: Position) => Boolean(waited.push(position));
  const app = { positions: { reached } } as unknown as Parameters<typeof shownAfter>[0];
  await shownAfter(app, contextOf('someone'), models, work, isRead);
  return waited;
};
const writes =
  (made: object | null) =>
  async (context: CommandContext): Promise<object | null> => {
    context.onSettled?.(at);
    return made;
  };

it('waits for what the reply is read from', async () => {
  expect(await waits(writes({}))).toEqual([at]);
  expect(await waits(writes(null), madeBefore)).toEqual([at]);
});

it('does not wait where the reply is made of the event, or nothing was written', async () => {
  expect(await waits(writes({}), madeBefore)).toEqual([]);
  expect(await waits(async () => null)).toEqual([]);
});
