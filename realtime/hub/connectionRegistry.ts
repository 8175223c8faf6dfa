/** Who is here, counted by address and by account, so that nobody takes more sockets than allowed. */
import type { Limits } from './limits.ts';

export interface Census<Member> {
  /** Counts one more of `address`; false, and not counted, when that is too many. */
  arrive(address: string): boolean;
  depart(address: string): void;
  /** Counts one more of the account; false, and not counted, when that is too many. */
  join(accountId: string, member: Member): boolean;
  leave(accountId: string, member: Member): void;
  membersOf(accountId: string): readonly Member[];
  members(): readonly Member[];
}

export const createCensus = <Member>(limits: Limits): Census<Member> => {
  const addresses = new Map<string, number>();
  const accounts = new Map<string, Set<Member>>();
  let total = 0;

  return {
    arrive: (address) => {
      const count = addresses.get(address) ?? 0;
      if (total >= limits.sockets || count >= limits.socketsPerAddress) return false;
      addresses.set(address, count + 1);
      total += 1;
      return true;
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
