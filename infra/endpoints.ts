/** Which server a text names, however it is spelled. */
import { isIPv4, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

export interface Endpoint {
  /** Without the colon: `https`. */
  readonly scheme: string;
  /** In lower case, an IPv6 address without brackets, without the dot at the end. */
  readonly host: string;
  readonly port: number;
}

const PORTS: Readonly<Record<string, number>> = {
  ...{ http: 80, https: 443, ws: 80, wss: 443, smtp: 587, smtps: 465 },
  ...{ turn: 3478, turns: 5349, stun: 3478, stuns: 5349 },
};

/** The same host in one spelling. */
const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '');

const PORT = /^(?:[^/?#]*@)?(?:\[[^\]]*\]|[^:/?#]*):(\d+)/;

/** The server of an address such as `https://api.example:8443/v1` or `turn:turn.example:3478`; undefined: it is none. */
export const endpointOf = (text: string): Endpoint | undefined => {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text.trim())?.[1]?.toLowerCase() ?? '';
  const standard = PORTS[scheme];
  const rest = text
    .trim()
    .slice(scheme.length + 1)
    .replace(/^\/*/, '');
  // Read as http, whose hosts have one spelling: 127.1 and 0x7f.1 are 127.0.0.1.
  if (standard === undefined || !URL.canParse(`http://${rest}`)) return undefined;
  const port = PORT.exec(rest)?.[1];
  return { scheme, host: plainHost(new URL(`http://${rest}`).hostname), port: Number(port ?? standard) };
};

const MAPPED = /^::ffff:7f[0-9a-f]{2}:/;

/** Whether only programs on this machine reach it. */
export const isLoopback = (given: string): boolean => {
  const host = plainHost(given);
  if (isIPv4(host)) return host.startsWith('127.');
  if (isIPv6(host)) return host === '::1' || MAPPED.test(new URL(`http://[${host}]`).hostname.slice(1));
  return /(^|\.)localhost(\.localdomain\d?)?$|^ip6-(localhost|loopback)$/.test(host);
};

/** Whether whoever connects to it reaches their own machine: to connect to no address at all means that, too. */
export const isLocal = (host: string): boolean => isLoopback(host) || ['0.0.0.0', '::'].includes(plainHost(host));

/** Whether a program on this machine reaches this machine by it: loopback, its name, or an address of its own. */
export const isThisMachine = (given: string): boolean => {
  const host = plainHost(given);
  const own = plainHost(hostname());
  return (
    isLocal(host) ||
    host === own ||
    host === own.split('.')[0] ||
    Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === host))
  );
};
