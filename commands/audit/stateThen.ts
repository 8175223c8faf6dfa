/** An aggregate as it was at a moment, for whoever audits the log. */
import type { Aggregate, AnyEvent, SnapshotDeclaration } from '../../domain/core/decider.ts';
import { concealAt } from '../../eventstore/concealEvent.ts';
import type { StateThen } from '../../eventstore/history.ts';
import { fieldsIn, replaceAt } from '../../eventstore/personalPaths.ts';
import type { CoreDeps } from '../core/deps.ts';
import { snapshotInLog } from '../core/stateReader.ts';

/** Both bounds include what they name; without any it is the state of now. */
export interface Moment {
  readonly revision?: number;
  /** RFC 3339. */
  readonly at?: string;
}

/** What is folded at once: few enough that other requests do not notice. */
const PAGE = 200;

/**
 * The state of a snapshot as events without personal data lead to it, and whose data it has. undefined: it has something that
 * was computed of personal data, such as the mark of a reason, and does not say of whose.
 */
export const blindSnapshot = <State>(
  { packed, pack, unpack, sealedFor, marksAreOf }: SnapshotDeclaration<State>,
  state: State,
): (Pick<StateThen, 'people'> & { readonly blindState: State }) | undefined => {
  const open = pack(state);
  const personal = fieldsIn(packed).filter(({ path }) => {
    let isThere = false;
    replaceAt(open, path, (value) => {
      isThere ||= Boolean(value); // without words, their mark is 0
      return value;
    });
    return isThere;
  });
  if (personal.length === 0) return { blindState: state, people: [] };
  const key = sealedFor?.(state);
  const person = key ? ('person' in key ? key.person : key.seller) : marksAreOf?.(state);
  return person ? { blindState: unpack(concealAt(open, personal, true) as never), people: [person] } : undefined;
};

type Deps = Pick<CoreDeps, 'store' | 'codec' | 'snapshots'>;
type Dated = { readonly revision: bigint; readonly at: string };

/** From where on events are folded: the snapshot, unless it is of a later moment or cannot be shown. */
const beginning = async (
  deps: Deps,
  { initial, snapshot }: Aggregate,
  stream: string,
  isLater: (event: Dated) => boolean,
): Promise<StateThen> => {
  const found = snapshot && (await snapshotInLog(deps, stream, snapshot));
  const [event] = found ? await deps.codec.decode([found.event]) : [];
  const blind = found && event && !isLater(event) && blindSnapshot(snapshot, found.state);
  return blind
    ? { revision: Number(event.revision), at: event.at, state: found.state, ...blind }
    : { revision: null, at: null, state: initial, blindState: initial, people: [] };
};

/**
 * An aggregate as it was at a moment; undefined for a stream that does not exist.
 * @throws CodecError, VaultError when an event of the stream cannot be read
 */
export const stateThen = async (
  deps: Deps,
  aggregate: Aggregate,
  stream: string,
  { revision = Number.MAX_SAFE_INTEGER, at }: Moment,
): Promise<StateThen | undefined> => {
  const until = at === undefined ? Infinity : Date.parse(at);
  const isLater = (event: Dated): boolean => event.revision > revision || Date.parse(event.at) > until;
  let then = await beginning(deps, aggregate, stream, isLater);
  const people = new Set(then.people);
  for (let from = then.revision === null ? 0 : then.revision + 1; ; from += PAGE) {
    const page = await deps.codec.decode(await deps.store.read(stream, { from: BigInt(from), max: PAGE }));
    if (from === 0 && page.length === 0) return undefined;
    for (const event of page) {
      if (isLater(event)) return { ...then, people: [...people] };
      const blind = deps.codec.conceal({ ...event, meta: { ...event.meta, ip: null } }, { forFold: true });
      then = {
        ...then,
        revision: Number(event.revision),
        at: event.at,
        state: aggregate.evolve(then.state, event as AnyEvent),
        blindState: aggregate.evolve(then.blindState, blind.event as AnyEvent),
      };
      for (const person of blind.people) people.add(person);
    }
    if (page.length < PAGE) return { ...then, people: [...people] };
  }
};
