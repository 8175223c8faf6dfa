/**
 * The line of a person: the one call that they are in. One stream for each person, so that nobody is in two calls, and so
 * that two who call each other at the same moment find the same call on the line that both take first.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, snapshot } from '../core/decider.ts';
import { Nullable, Uuid } from '../core/schema.ts';
import { Parties } from './call.ts';

/** A call, and who is in it. */
export const LineCall = Type.Object({ callId: Uuid, ...Parties.properties });
export type LineCall = Static<typeof LineCall>;

const lineEvents = {
  LineTaken: { data: LineCall },
  LineFreed: { data: Type.Object({ callId: Uuid }) },
} as const satisfies EventDeclarations;
export type LineEvent = EventsOf<typeof lineEvents>;

export type LineCommand =
  /** Takes the line if it is free. Whose it is then shows the state. */
  ({ readonly type: 'TakeLine' } & LineCall) | { readonly type: 'FreeLine'; readonly callId: string };

/** The call that the person is in; null: the line is free. */
export type Line = LineCall | null;

const decide = (command: LineCommand, state: Line): LineEvent[] => {
  switch (command.type) {
    case 'TakeLine': {
      const { type, ...data } = command;
      return state === null ? [{ type: 'LineTaken', data }] : [];
    }
    case 'FreeLine':
      return state?.callId === command.callId ? [{ type: 'LineFreed', data: { callId: command.callId } }] : [];
  }
};

const evolve = (_: Line, event: LineEvent): Line => {
  switch (event.type) {
    case 'LineTaken':
      return event.data;
    case 'LineFreed':
      return null;
  }
};

export const line: Decider<Line, LineCommand, LineEvent> = {
  category: 'callLine',
  events: lineEvents,
  initial: null,
  decide,
  evolve,
  snapshot: snapshot({
    version: 1,
    packed: Type.Object({ call: Nullable(LineCall) }),
    pack: (call: Line) => ({ call }),
    unpack: ({ call }) => call,
  }),
};
