/**
 * Taking and freeing the lines of two people. The line with the lower id is taken first, so that of two who call each other
 * at the same moment one finds the call of the other. A process that ends in between leaves a line taken: it is freed when
 * it is next asked for, if its call is over, and by the deadline of the call otherwise.
 */
import { call, isOver } from '../../domain/calls/call.ts';
import { type LineCall, line } from '../../domain/calls/line.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { CallDeps } from './deps.ts';

type Deps = Pick<CallDeps, 'aggregates'>;

/** A line that calls keep taking from each other. */
const MOST_ATTEMPTS = 3;

const freeLine = async ({ aggregates }: Deps, context: CommandContext, person: string, callId: string) => {
  await aggregates.handle(line, person, { type: 'FreeLine', callId }, followUp(context, `free ${person} ${callId}`));
};

/** Frees the lines of a call that is over, or never began. Safe to repeat. */
export const freeLines = async (
  deps: Deps,
  context: CommandContext,
  { callId, callerId, calleeId }: Pick<LineCall, 'callId' | 'callerId' | 'calleeId'>,
): Promise<void> => {
  await Promise.all([callerId, calleeId].map((person) => freeLine(deps, context, person, callId)));
};

/** The call that the person is in; null when the line is free, or its call is over. */
export const callOnLine = async ({ aggregates }: Deps, person: string): Promise<LineCall | null> => {
  const { state: on } = await aggregates.load(line, person);
  return on && isOver((await aggregates.load(call, on.callId)).state) ? null : on;
};

/** Takes the line if it is free. @returns the call that has it now */
const takeLine = async (
  deps: Deps,
  context: CommandContext,
  person: string,
  wanted: LineCall,
  attempt = 1,
): Promise<LineCall> => {
  const step = `take ${person} ${wanted.callId} ${attempt}`;
  const taken = await deps.aggregates.handle(line, person, { type: 'TakeLine', ...wanted }, followUp(context, step));
  const on = taken.state ?? wanted;
  if (on.callId === wanted.callId || attempt === MOST_ATTEMPTS) return on;
  if (!isOver((await deps.aggregates.load(call, on.callId)).state)) return on;
  await freeLine(deps, context, person, on.callId);
  return takeLine(deps, context, person, wanted, attempt + 1);
};

const isOfSameTwo = (a: LineCall, b: LineCall): boolean =>
  [a.callerId, a.calleeId].toSorted().join() === [b.callerId, b.calleeId].toSorted().join();

/** Whom the call has to be refused for: the person is in a call with somebody else. */
export interface Engaged {
  readonly engaged: string;
  readonly with: LineCall;
}

/**
 * Takes both lines for a call, or for the one that the same two already have.
 * @returns the call that has both lines
 */
export const takeLines = async (deps: Deps, context: CommandContext, wanted: LineCall): Promise<LineCall | Engaged> => {
  const [first, second] = [wanted.callerId, wanted.calleeId].toSorted() as [string, string];
  const on = await takeLine(deps, context, first, wanted);
  if (!isOfSameTwo(on, wanted)) return { engaged: first, with: on };
  const other = await takeLine(deps, context, second, on);
  if (other.callId === on.callId) return on;
  await freeLine(deps, context, first, on.callId);
  return { engaged: second, with: other };
};
