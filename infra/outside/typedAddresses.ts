/**
 * Requests to addresses that people typed. A host name can be made to lead into our own network: addresses are checked after
 * they were resolved, and the connection goes to the address that was checked.
 */
import { lookup as resolve } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { agentsWith, exchange } from './exchange.ts';

/** Whether an address is one of the internet, and of nobody's own network. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';

/** Whether a host is one of those that the operator allows. @param allowed names; `*.x` are all below x */
export const isAllowedHost = (allowed: readonly string[], host: string): boolean =>
  allowed.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern));

const lookupWith =
  (mayConnect: (address: string) => boolean): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { all: true }).then(
      (found) => {
        const refused = found.find(({ address }) => !mayConnect(address));
        const [first] = found;
        if (refused || !first) return done(new Error(`${hostname} leads to an address that is not public`), '', 4);
        return options.all ? done(null, found) : done(null, first.address, first.family);
      },
      (error: Error) => done(error as NodeJS.ErrnoException, '', 4),
    );
  };

/** An address that is written as numbers is not looked up. */
const literal = (hostname: string): string | undefined => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : undefined;
};

export interface Guard {
  /** The sandbox, which stands in for others and is in our own network. */
  readonly sandbox?: string | null;
  readonly mayConnect?: (address: string) => boolean;
}

/** `exchange` that connects to public addresses only. @throws also Error for a host that leads to another one */
export const guardedExchange = ({ sandbox = null, mayConnect = isPublicAddress }: Guard = {}): typeof exchange => {
  const agents = agentsWith(lookupWith(mayConnect));
  return async (address, request) => {
    const url = new URL(address);
    if (sandbox !== null && url.origin === new URL(sandbox).origin) return exchange(url, request);
    const numbers = literal(url.hostname);
    if (numbers !== undefined && !mayConnect(numbers)) throw new Error(`${numbers} is not a public address`);
    return exchange(url, request, agents);
  };
};
