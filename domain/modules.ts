/**
 * Every module of the domain, and what follows from that: all aggregates and all event types. A new module adds one line
 * to the list and its import.
 */
import { accounts } from './accounts/index.ts';
import { audit } from './audit/index.ts';
import { badges } from './badges/index.ts';
import { bookings } from './bookings/index.ts';
import { calls } from './calls/index.ts';
import { catalog } from './catalog/index.ts';
import { chat } from './chat/index.ts';
import { commissions } from './commissions/index.ts';
import { consents } from './consents/index.ts';
import { content } from './content/index.ts';
import type { Aggregate, AnyEvent, Decider, EventDeclarations } from './core/decider.ts';
import { favorites } from './favorites/index.ts';
import { files } from './files/index.ts';
import { flags } from './flags/index.ts';
import { forums } from './forums/index.ts';
import { friends } from './friends/index.ts';
import { leaderboards } from './leaderboards/index.ts';
import { ledger } from './ledger/index.ts';
import { partners } from './partners/index.ts';
import { passes } from './passes/index.ts';
import { payments } from './payments/index.ts';
import { plans } from './plans/index.ts';
import { platform } from './platform/index.ts';
import { promotions } from './promotions/index.ts';
import { purchases } from './purchases/index.ts';
import { push } from './push/index.ts';
import { reports } from './reports/index.ts';
import { resort } from './resort/index.ts';
import { reviews } from './reviews/index.ts';
import { sos } from './sos/index.ts';
import { stories } from './stories/index.ts';
import { support } from './support/index.ts';
import { tracking } from './tracking/index.ts';
import { voice } from './voice/index.ts';

interface DomainModule {
  readonly aggregates: readonly Pick<Aggregate, 'category'>[];
  /** Needed when its events say something about people. As `infra/personalData.ts` declares it, which the domain does not see. */
  readonly purpose?: { readonly purpose: string; readonly basis: string; readonly seenBy: readonly string[] };
}

/** The lowest module first: a module may import only modules above it in this list. */
const modules = [
  accounts,
  consents,
  flags,
  platform,
  push,
  friends,
  audit,
  files,
  reports,
  catalog,
  partners,
  commissions,
  ledger,
  payments,
  promotions,
  bookings,
  purchases,
  passes,
  reviews,
  calls,
  chat,
  support,
  tracking,
  leaderboards,
  badges,
  resort,
  plans,
  sos,
  content,
  forums,
  voice,
  favorites,
  stories,
] as const;

/** Why a module holds what its events say about people: category of their streams → purpose. */
export const purposes: ReadonlyMap<string, NonNullable<DomainModule['purpose']>> = new Map(
  modules.flatMap((module: DomainModule) =>
    module.aggregates.flatMap(({ category }) => (module.purpose ? [[category, module.purpose] as const] : [])),
  ),
);

/** For replaying any stream. */
export const aggregates: readonly Aggregate[] = modules.flatMap<Aggregate>((module) => module.aggregates);

/** Event type → declaration. */
export const allEvents: EventDeclarations = Object.assign({}, ...aggregates.map(({ events }) => events));

type AnyDecider = (typeof modules)[number]['aggregates'][number];
type EventsDecidedBy<D> = D extends Decider<infer _State, infer _Command, infer E extends AnyEvent> ? E : never;

/** Every event that can be recorded. */
export type DomainEvent = EventsDecidedBy<AnyDecider>;
export type EventType = DomainEvent['type'];
export type EventOf<T extends EventType> = Extract<DomainEvent, { type: T }>;
