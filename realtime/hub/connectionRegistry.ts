/** All open connections. Counts them by address and by account, and refuses those above the limits. */
import type { Limits } from './limits.ts';

export interface ConnectionRegistry<Member> {
  /** Whether one more connection from `address` is within the limits. */
  hasRoomFor(address: string): boolean;
  /** Counts one more connection from `address`. Returns the address as the one text that all its connections share. */
  enter(address: string, member: Member): string;
  depart(address: string, member: Member): void;
  /** Counts one more connection of the account. False, and not counted, when that is above the limit. */
  join(accountId: string, member: Member): boolean;
  leave(accountId: string, member: Member): void;
  membersOf(accountId: string): readonly Member[];
  /** Every connection that has an account. */
  members(): readonly Member[];
  /** Every connection. */
  all(): Iterable<Member>;
}

export const createConnectionRegistry = <Member extends object>(limits: Limits): ConnectionRegistry<Member> => {
  const connections = new Set<Member>();
  const addresses = new Map<string, { readonly address: string; count: number }>();
  /** The connections of an account. Most accounts have one, which takes no set. */
  const accounts = new Map<string, Member | Set<Member>>();
  const membersOf = (accountId: string): readonly Member[] => {
    const members = accounts.get(accountId);
    if (members === undefined) return [];
    return members instanceof Set ? [...members] : [members];
  };

  return {
    hasRoomFor: (address) =>
      connections.size < limits.sockets && (addresses.get(address)?.count ?? 0) < limits.socketsPerAddress,
    enter: (address, member) => {
      const counted = addresses.get(address) ?? { address, count: 0 };
      counted.count += 1;
      addresses.set(address, counted);
      connections.add(member);
      return counted.address;
    },
    depart: (address, member) => {
      const counted = addresses.get(address);
      if (counted && counted.count > 1) counted.count -= 1;
      else addresses.delete(address);
      connections.delete(member);
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
