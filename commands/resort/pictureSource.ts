/**
 * Fetches pictures from hosts that the operator allows. A host name can be made to lead into our own network: addresses
 * are checked after they were resolved, and the connection goes to the address that was checked.
 */
import { lookup as resolve } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { exchange } from '../../infra/outside/exchange.ts';

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 5 * 1024 * 1024;
/** How pictures begin, in Latin-1. Nothing more of them is parsed in the process that answers requests. */
const TYPES = {
  'image/jpeg': /^\xff\xd8\xff/,
  'image/png': /^\x89PNG\r\n/,
  'image/webp': /^RIFF.{4}WEBP/s,
};
const HEAD_BYTES = 12;

interface Picture {
  readonly bytes: Buffer;
  /** Media type, by the content. */
  readonly type: string;
}
export interface PictureSource {
  isAllowed(url: string): boolean;
  /** @throws Error when there is no picture */
  fetch(url: string): Promise<Picture>;
}

/** Whether an address is one of the internet, and of nobody's own network. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';

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

/** The media type, by the content; undefined when it is no picture. */
const typeOf = (bytes: Buffer): string | undefined => {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  return Object.entries(TYPES).find(([, begins]) => begins.test(head))?.[0];
};

const download = async (url: URL, mayConnect: (address: string) => boolean): Promise<Buffer> => {
  const lookup = lookupWith(mayConnect);
  const { status, body } = await exchange(url, { timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES, lookup });
  if (status !== 200) throw new Error(`it answered ${status}`);
  return body;
};

/** @param hosts that pictures may come from: names, with a port where it is not the usual one */
export const createPictureSource = (
  hosts: readonly string[],
  mayConnect: (address: string) => boolean = isPublicAddress,
): PictureSource => {
  const isAllowed = (url: string): boolean => URL.canParse(url) && hosts.includes(new URL(url).host.toLowerCase());
  return {
    isAllowed,
    fetch: async (url) => {
      if (!isAllowed(url)) throw new Error('pictures of this host are not allowed');
      const target = new URL(url);
      const address = literal(target.hostname);
      if (address !== undefined && !mayConnect(address)) throw new Error(`${address} is not a public address`);
      const bytes = await download(target, mayConnect);
      const type = typeOf(bytes);
      if (type === undefined) throw new Error('it is no picture');
      return { bytes, type };
    },
  };
};
