/**
 * How many connections of clients a process takes: as many as it is made for, or as many as the system's limit of open
 * files and connections allows beside its stores and files.
 */
import { descriptorLimit, HOW_TO_RAISE } from '../infra/descriptors.ts';
import { defaultLimits } from '../realtime/hub/limits.ts';
import type { Config, Role } from './config.ts';

/** Each tunnel of a WebSocket is a connection of a client, and one to the hub. */
const API = { connections: 27_000, tunnels: 22_000 };

export interface ClientLimits {
  readonly api: typeof API;
  readonly hub: { readonly connections: number; readonly sockets: number };
}

/** For everything but clients and the connections to PostgreSQL: the event store, files, processes, services. */
const RESERVED = 100;
/** A process has some more pools than one, which are smaller. */
const POOLS = 5;

type Process = Pick<Config, 'ROLE' | 'DATABASE_POOL'>;

const wantedBy = (role: Role): number => {
  if (role === 'api') return API.connections + API.tunnels;
  return role === 'realtime' ? defaultLimits.connections : 0;
};
const reservedBy = ({ DATABASE_POOL }: Process): number => RESERVED + POOLS * DATABASE_POOL;
const neededBy = (of: Process): number => {
  const wanted = of.ROLE.reduce((sum, role) => sum + wantedBy(role), 0);
  return wanted === 0 ? 0 : wanted + reservedBy(of);
};

/** At least half of a low limit is for clients. */
export const clientLimits = (of: Process, limit = descriptorLimit()): ClientLimits => {
  const needed = neededBy(of);
  const reserved = reservedBy(of);
  const left = limit >= needed ? 1 : Math.max(limit - reserved, limit / 2) / (needed - reserved);
  const part = (whole: number): number => Math.floor(whole * left);
  return {
    api: { connections: part(API.connections), tunnels: part(API.tunnels) },
    hub: { connections: part(defaultLimits.connections), sockets: part(defaultLimits.sockets) },
  };
};

/** What the limit keeps these processes from, as one sentence for the log of the start; empty: nothing. */
export const descriptorWarnings = (processes: readonly Process[], limit = descriptorLimit()): string[] => {
  const needed = Math.max(...processes.map(neededBy));
  if (limit >= needed) return [];
  const text = `A process may have ${limit} files and connections open and needs ${needed} for all clients that it is made for: it takes fewer at once. ${HOW_TO_RAISE}`;
  return [text];
};
