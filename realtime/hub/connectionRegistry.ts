/**
 * All open connections. Counts them by address and by account, and knows who gives way to a new one where a limit is
 * reached: whoever has been there longest without saying who it is.
 */
import type { Limits } from './limits.ts';

export interface ConnectionRegistry<Member> {
  /** Whether one more connection from `address` is within the limits. */
  hasRoomFor(address: string): boolean;
  /** Counts one more connection from `address`. Returns the address as the one text that all its connections share. */
  enter(address: string, member: Member): string;
  depart(address: string, member: Member): void;
  /** The connection says who it is, so that it gives way to nobody. */
  identify(address: string, member: Member): void;
  /** Where one more connection from `address` is above a limit: the one that should close for it, if any may. */
  firstToGiveWay(address: string): Member | undefined;
  /** Counts one more connection of the account. False, and not counted, when that is above the limit. */
  join(accountId: string, member: Member): boolean;
  leave(accountId: string, member: Member): void;
  membersOf(accountId: string): readonly Member[];
  /** Every connection that has an account. */
  members(): readonly Member[];
  /** Every connection. */
  all(): Iterable<Member>;
}

/** The connections that share a limit. */
interface Group<Member> {
  readonly limit: number;
  count: number;
  /** Those that have not said who they are, the oldest first. Not there where all have: most addresses need no set. */
  unknown: Set<Member> | undefined;
}

const isFull = ({ count, limit }: Group<unknown>): boolean => count >= limit;

export const createConnectionRegistry = <Member extends object>(limits: Limits): ConnectionRegistry<Member> => {
  const connections = new Set<Member>();
  const all: Group<Member> = { limit: limits.sockets, count: 0, unknown: undefined };
  const addresses = new Map<string, Group<Member> & { readonly address: string }>();
  /** The connections of an account. Most accounts have one, which takes no set. */
  const accounts = new Map<string, Member | Set<Member>>();
  const membersOf = (accountId: string): readonly Member[] => {
    const members = accounts.get(accountId);
    if (members === undefined) return [];
    return members instanceof Set ? [...members] : [members];
  };

  const groupOf = (address: string) =>
    addresses.get(address) ?? { address, limit: limits.socketsPerAddress, count: 0, unknown: undefined };
  const groupsOf = (address: string): readonly Group<Member>[] => [groupOf(address), all];
  const identify = (address: string, member: Member): void => {
    for (const group of groupsOf(address)) {
      group.unknown?.delete(member);
      if (group.unknown?.size === 0) group.unknown = undefined;
    }
  };

  return {
    hasRoomFor: (address) => !groupsOf(address).some(isFull),
    enter: (address, member) => {
      const counted = groupOf(address);
      addresses.set(address, counted);
      for (const group of [counted, all]) {
        group.count += 1;
        group.unknown ??= new Set();
        group.unknown.add(member);
      }
      connections.add(member);
      return counted.address;
    },
    depart: (address, member) => {
      if (!connections.delete(member)) return;
      identify(address, member);
      for (const group of groupsOf(address)) group.count -= 1;
      if (addresses.get(address)?.count === 0) addresses.delete(address);
    },
    identify,
    firstToGiveWay: (address) => {
      const [longest] = groupsOf(address).find(isFull)?.unknown ?? [];
      return longest;
    },
    join: (accountId, member) => {
      const members = membersOf(accountId);
      if (members.length >= limits.socketsPerAccount) return false;
      accounts.set(accountId, members.length === 0 ? member : new Set([...members, member]));
      return true;
    },
    leave: (accountId, member) => {
      const members = accounts.get(accountId);
      if (members instanceof Set && members.size > 1) members.delete(member);
      else if (membersOf(accountId).includes(member)) accounts.delete(accountId);
    },
    membersOf,
    members: () => [...accounts.keys()].flatMap(membersOf),
    all: () => connections.values(),
  };
};
