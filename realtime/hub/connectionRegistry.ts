/** Counts open connections by address and by account, and refuses those above the limits. */
import type { Limits } from './limits.ts';

export interface ConnectionRegistry<Member> {
  /** Whether one more connection from `address` is within the limits. */
  hasRoomFor(address: string): boolean;
  /** Counts one more connection from `address`. */
  enter(address: string): void;
  depart(address: string): void;
  /** Counts one more connection of the account. False, and not counted, when that is above the limit. */
  join(accountId: string, member: Member): boolean;
  leave(accountId: string, member: Member): void;
  membersOf(accountId: string): readonly Member[];
  /** Every connection that has an account. */
  members(): readonly Member[];
}

export const createConnectionRegistry = <Member>(limits: Limits): ConnectionRegistry<Member> => {
  const addresses = new Map<string, number>();
  const accounts = new Map<string, Set<Member>>();
  let total = 0;

  return {
    hasRoomFor: (address) => total < limits.sockets && (addresses.get(address) ?? 0) < limits.socketsPerAddress,
    enter: (address) => {
      addresses.set(address, (addresses.get(address) ?? 0) + 1);
      total += 1;
    },
    depart: (address) => {
      const count = addresses.get(address) ?? 0;
      if (count > 1) addresses.set(address, count - 1);
      else addresses.delete(address);
      total -= 1;
    },
    join: (accountId, member) => {
      const members = accounts.get(accountId) ?? new Set();
      if (members.size >= limits.socketsPerAccount) return false;
      accounts.set(accountId, members.add(member));
      return true;
    },
    leave: (accountId, member) => {
      const members = accounts.get(accountId);
      members?.delete(member);
      if (members?.size === 0) accounts.delete(accountId);
    },
    membersOf: (accountId) => [...(accounts.get(accountId) ?? [])],
    members: () => [...accounts.values()].flatMap((members) => [...members]),
  };
};
