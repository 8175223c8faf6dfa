/**
 * Every module of the domain, and what follows from that: all aggregates and all event types. A new module adds one line
 * to the list and its import.
 */
import { accounts } from './accounts/index.ts';
import { audit } from './audit/index.ts';
import { bookings } from './bookings/index.ts';
import { catalog } from './catalog/index.ts';
import { commissions } from './commissions/index.ts';
import type { Aggregate, AnyEvent, Decider, EventDeclarations } from './core/decider.ts';
import { ledger } from './ledger/index.ts';
import { partners } from './partners/index.ts';
import { passes } from './passes/index.ts';
import { payments } from './payments/index.ts';
import { purchases } from './purchases/index.ts';

/** The lowest module first: a module may import only modules above it in this list. */
const modules = [
  accounts,
  audit,
  catalog,
  partners,
  commissions,
  ledger,
  payments,
  bookings,
  purchases,
  passes,
] as const;

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
