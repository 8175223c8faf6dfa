/** Fetches pictures from hosts that the operator allows. */
import { guardedExchange, isAllowedHost } from '../../infra/outside/typedAddresses.ts';

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

/** The media type, by the content; undefined when it is no picture. */
const typeOf = (bytes: Buffer): string | undefined => {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  return Object.entries(TYPES).find(([, begins]) => begins.test(head))?.[0];
};

/**
 * @param hosts that pictures may come from: names, with a port where it is not the usual one
 * @param exchange how they are asked
 */
export const createPictureSource = (hosts: readonly string[], exchange = guardedExchange()): PictureSource => {
  const isAllowed = (url: string): boolean =>
    URL.canParse(url) && isAllowedHost(hosts, new URL(url).host.toLowerCase());
  return {
    isAllowed,
    fetch: async (url) => {
      if (!isAllowed(url)) throw new Error('pictures of this host are not allowed');
      const { status, body: bytes } = await exchange(url, { timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES });
      if (status !== 200) throw new Error(`it answered ${status}`);
      const type = typeOf(bytes);
      if (type === undefined) throw new Error('it is no picture');
      return { bytes, type };
    },
  };
};
