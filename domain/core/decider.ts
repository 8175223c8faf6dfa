/**
 * The shape of every aggregate: its events, the state that they lead to, and the decisions on new commands. Everything
 * here is pure: time, ids and prices arrive inside the command.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import type { InvalidCode, RejectionCode } from './rejections.ts';

/** How one event type is stored. Type names and shapes are storage format: never renamed, changed only by a new version. */
export interface EventDeclaration<T extends TSchema = TSchema> {
  /** Shape of `data` in its newest version. */
  readonly data: T;
  /**
   * The person whose personal data the event carries: `stream` = the stream's own id, otherwise the name of the field
   * that holds the person's id.
   */
  readonly person?: string;
  /**
   * The data is what `person` sells: it is encrypted with the key of the seller, which is not the person's own, because
   * several people may sell together. `since`: the version from which on it is so. Before it, the fields `before` were
   * encrypted with the person's own key, and the others were in plain.
   */
  readonly seller?: { readonly since: number; readonly before: readonly string[] };
  /**
   * Older shapes, oldest first: entry 0 turns version 1 into 2, and so on. The newest version is `upcast.length + 1`.
   * Personal data is still encrypted here, as texts: it can be moved, not read.
   */
  readonly upcast?: readonly ((data: Record<string, unknown>) => Record<string, unknown>)[];
}
export type EventDeclarations = Readonly<Record<string, EventDeclaration>>;

/** The discriminated union of everything a set of declarations can record. */
export type EventsOf<D extends EventDeclarations> = {
  [T in keyof D & string]: { readonly type: T; readonly data: Static<D[T]['data']> };
}[keyof D & string];

export interface AnyEvent {
  readonly type: string;
  readonly data: object;
}

/**
 * How the state of a long stream is kept, so that it need not be replayed from its first event. A snapshot is a cache:
 * it may be lost at any time. It is encrypted only where it says for whom, so otherwise the packed state has no personal
 * data of the events.
 */
export interface SnapshotDeclaration<State> {
  /** Raise it with every change of the state, of `evolve` or of the packed form: others are ignored. */
  readonly version: number;
  /** Shape of the packed state, which is JSON. */
  readonly packed: TSchema;
  pack(state: State): unknown;
  unpack(packed: never): State;
  /** With whose key it is encrypted; null: there is none yet, and no snapshot is kept. */
  sealedFor?(state: State): Whose | null;
  /** Where it is not encrypted: about whom the words were of which it has marks (`markOf`). Who sees them has seen theirs. */
  marksAreOf?(state: State): string | null;
}

/** A key: that of a person, or that of the seller whose owner a person is. */
export type Whose = { readonly person: string } | { readonly seller: string };

/** Declares a snapshot whose functions fit the packed shape. */
export const snapshot = <State, T extends TSchema>(declared: {
  readonly version: number;
  readonly packed: T;
  readonly pack: (state: State) => Static<T>;
  readonly unpack: (packed: Static<T>) => State;
  readonly sealedFor?: (state: State) => Whose | null;
  readonly marksAreOf?: (state: State) => string | null;
}): SnapshotDeclaration<State> => declared;

interface Decisions<State, Command, Event extends AnyEvent> {
  /** Streams are `<category>-<uuid>`; the name has no dash. */
  readonly category: string;
  readonly events: EventDeclarations;
  readonly initial: State;
  /**
   * The events that the command leads to; `[]` when it was already applied.
   * @throws Rejected when the command is not allowed
   * @throws Contended when what the command was made from has changed
   */
  readonly decide: (command: Command, state: State) => Event[];
  readonly evolve: (state: State, event: Event) => State;
}

/** Either its streams stay short, or a state is kept of long ones: what a command costs does not grow with the years. */
type Length<State> =
  /** `short`: why a stream has hundreds of events at most. */
  | { readonly short: string; readonly snapshot?: undefined }
  | { readonly snapshot: SnapshotDeclaration<State>; readonly short?: undefined };

export type Decider<State, Command, Event extends AnyEvent> = Decisions<State, Command, Event> & Length<State>;

/** The part of a decider that replaying a stream needs, whatever its state is. */
export interface Aggregate {
  readonly category: string;
  readonly events: EventDeclarations;
  readonly initial: unknown;
  evolve(state: unknown, event: AnyEvent): unknown;
  readonly snapshot?: SnapshotDeclaration<unknown>;
}

export type Facts = Readonly<Record<string, unknown>>;
/**
 * Which fields of a request are wrong, by their names in requests and where they are: `check_in`, `items/0/check_in`. Empty:
 * the value itself, whose name the caller adds (`inField`). Where operations name the same thing differently, all of its
 * names: those that the request does not have are left out.
 */
export type Fields = readonly [string, ...string[]];

/**
 * A command that is refused, with a code from the one catalogue (`rejections.ts`) and a sentence for the person. Where the
 * request is wrong, it names the fields.
 */
export class Rejected extends Error {
  readonly code: RejectionCode;
  readonly facts: Facts;
  readonly fields: readonly string[];
  constructor(code: Exclude<RejectionCode, InvalidCode>, detail: string, facts?: Facts);
  constructor(code: InvalidCode, detail: string, facts: Facts & { readonly fields: Fields });
  constructor(code: RejectionCode, detail: string, facts: Facts & { readonly fields?: Fields } = {}) {
    super(detail);
    const { fields, ...others } = facts;
    this.name = 'Rejected';
    this.code = code;
    this.facts = others;
    this.fields = fields ?? [];
  }
  /** The same refusal with other facts, and with another sentence. */
  with(facts: Facts, detail = this.message): Rejected {
    return this.#with(facts, this.fields, detail);
  }
  /** The same refusal, with its fields in what `path` names. */
  within(path: string): Rejected {
    const fields = this.fields.map((field) => (field === '' ? path : `${path}/${field}`));
    return this.#with(this.facts, fields, this.message);
  }
  #with(facts: Facts, fields: readonly string[], detail: string): Rejected {
    return new Rejected(this.code as InvalidCode, detail, { ...facts, fields: fields as Fields });
  }
}

/** Runs what checks a part of the input, and says in its refusals where that part is. @param path `rooms/0` */
export const inField = <T>(path: string, check: () => T): T => {
  try {
    return check();
  } catch (error) {
    throw error instanceof Rejected ? error.within(path) : error;
  }
};

/** What is named does not exist, or is nothing to the caller. @param what its noun: `tracking session` */
export const notFound = (what: string): Rejected => new Rejected('not_found', `This ${what} does not exist.`);

type Existing<State, Gone extends string> = Exclude<State, null | { readonly status: 'none' | Gone }>;

/**
 * Whatever follows is about something that exists.
 * @param what its noun: `tracking session`
 * @param gone in which states it is shown to nobody any more
 * @throws Rejected `not_found`
 */
export function requireExisting<State extends { readonly status: string } | null, const Gone extends string = never>(
  state: State,
  what: string,
  ...gone: readonly Gone[]
): asserts state is Existing<State, Gone> {
  if (state === null || state.status === 'none' || gone.some((each) => each === state.status)) throw notFound(what);
}

/** The state that `requireExisting` has let pass. @throws Rejected `not_found` */
export const existing = <State extends { readonly status: string } | null, const Gone extends string = never>(
  state: State,
  what: string,
  ...gone: readonly Gone[]
): Existing<State, Gone> => {
  requireExisting(state, what, ...gone);
  return state as Existing<State, Gone>;
};

/**
 * Others were faster each time: the same command can succeed a moment later. It is no refusal, so that what reacts to one,
 * for example with a refund, does not react to it.
 */
export class Contended extends Error {
  override readonly name = 'Contended';
  readonly code = 'unavailable' satisfies RejectionCode;
  constructor() {
    super('Too many requests are changing this at the same time. Try again.');
  }
}

/** The facts in a command were read for an earlier state: read them again and repeat the command. */
export class Outdated extends Contended {}

/** Whether nothing came of the command, by what it threw. After any other error, its events may be in the log. */
export const changedNothing = (error: unknown): error is Rejected | Contended =>
  error instanceof Rejected || error instanceof Contended;

/** Who acts. `system` is a policy or a job, `seed` the operator's seeding tools, `partner` an API key. */
export interface Actor {
  readonly kind: 'user' | 'anonymous' | 'partner' | 'system' | 'seed';
  readonly id: string;
  readonly role: string;
}

/** Metadata of every event, for auditors. */
export interface EventMeta {
  readonly correlationId: string;
  readonly causationId: string;
  readonly commandId: string;
  readonly actor: Actor;
  readonly ip: string | null;
  /** When the event was decided, RFC 3339 UTC. This is the only record of the time: `data` does not repeat it. */
  readonly at: string;
}

/** A position in the whole log, ordered by commit, then by prepare. */
export interface Position {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** An event as it is read back. */
export type Recorded<E extends AnyEvent = AnyEvent> = E & {
  readonly id: string;
  readonly stream: string;
  readonly category: string;
  /** The stream's id without its category. */
  readonly streamId: string;
  readonly revision: bigint;
  readonly position: Position;
  readonly at: string;
  readonly meta: EventMeta;
};

export const streamName = (category: string, id: string): string => `${category}-${id}`;

/** `booking-<uuid>` → `['booking', '<uuid>']`. Category names have no dash. */
export const splitStream = (stream: string): [category: string, id: string] => {
  const dash = stream.indexOf('-');
  return dash < 0 ? [stream, ''] : [stream.slice(0, dash), stream.slice(dash + 1)];
};

/**
 * The event after which nothing personal of a person remains; the id of its stream is the person's. Read models forget the
 * person when they come to it, whatever else they handle.
 */
export const PERSON_ERASED = 'PersonErased';
