/** The address of a node. */
import { isIP } from 'node:net';
import type { EndPoint } from '@eventstore/db-client';

/** A node that may be called; `certifiedAs` is the name in its certificate, if it was found under another address. */
export interface Node extends EndPoint {
  readonly certifiedAs?: string;
}

export const addressOf = ({ address, port }: EndPoint): string =>
  isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;

export const isSame = (a: EndPoint, b: EndPoint): boolean => addressOf(a) === addressOf(b);
