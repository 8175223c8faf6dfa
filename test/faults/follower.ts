/**
 * An app that follows one chat over one socket: it resumes from its cursor after every lost connection, and reads the
 * chat over REST when the hub cannot resume. Each frame is checked when it arrives: offsets and numbers have no gap, and
 * nothing comes twice.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Cursor, Envelope, ServerFrame } from '../../realtime/hub/protocol.ts';
import { randomFrom } from '../kit/random.ts';

const random = randomFrom();
/** A message, as far as the storm compares it. */
export interface Shown {
  readonly id: string;
  readonly seq: number;
  readonly body: string | null;
  readonly deletion: string | null;
  readonly client_message_id: string | null;
}

export interface FollowerOptions {
  readonly threadId: string;
  readonly token: string;
  /** The local address, because the hub limits the sockets of one. */
  readonly from: string;
  /** As it is now: a hub that was restarted may have another address. */
  readonly hub: () => string;
  /** All messages of the chat over REST, by ascending number. */
  readonly readAll: () => Promise<Shown[]>;
  /** What must not happen. */
  readonly onWrong: (what: string) => void;
  readonly onCreated: (message: Shown, follower: Follower) => void;
}

export interface Follower {
  /** Counts the connections: a message that was sent and came during one was not delayed by a reconnect. */
  readonly connection: number;
  /** Whether it is subscribed and shows everything up to now. */
  readonly isLive: boolean;
  /** What it shows, in order. */
  shown(): Shown[];
  /** Loses the connection and comes back. `forgets`: as an app that was started anew, without its cursor. */
  drop(forgets: boolean): void;
  stop(): void;
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5_000;
/** Close codes from here on say that trying again in the same way is in vain. */
const IN_VAIN = 4_500;

export const follow = (options: FollowerOptions): Follower => {
  const { threadId, token, from, hub, readAll, onWrong, onCreated } = options;
  const channel = `chat_${threadId}`;
  const messages = new Map<number, Shown>();
  let socket: WebSocket | undefined;
  let cursor: Cursor | undefined;
  let connection = 0;
  let failures = 0;
  let isLive = false;
  let isStopped = false;
  /** The frames that came while the chat was read over REST; undefined otherwise. */
  let held: Envelope[] | undefined;
  /** Messages up to this number were read over REST: the frame that created them may still come. */
  let known = 0;
  const wrong = (what: string) => onWrong(`${channel}, connection ${connection}: ${what}`);

  const apply = ({ type, data }: Envelope): void => {
    if (!type.startsWith('message.')) return;
    const message = data as unknown as Shown;
    if (type === 'message.created') {
      if (message.seq > known && message.seq !== messages.size + 1)
        wrong(`message ${message.seq} came after ${messages.size}`);
      onCreated(message, self);
    }
    messages.set(message.seq, message);
  };

  const reload = async (mine: number): Promise<void> => {
    held = [];
    const all = await readAll();
    if (mine !== connection) return;
    messages.clear();
    for (const message of all) messages.set(message.seq, message);
    known = all.length;
    const waiting = held;
    held = undefined;
    for (const frame of waiting) apply(frame);
    isLive = socket?.readyState === WebSocket.OPEN;
  };

  const subscribed = ({ epoch, offset, recovered }: Extract<ServerFrame, { type: 'subscribed' }>): void => {
    failures = 0;
    if (recovered) {
      if (cursor?.epoch !== epoch || cursor.offset !== offset) wrong(`resumed at ${offset}, not at ${cursor?.offset}`);
      isLive = true;
      return;
    }
    cursor = { epoch, offset };
    const mine = connection;
    reload(mine).catch((error: unknown) => wrong(`cannot read the chat: ${error}`));
  };

  const onFrame = (frame: ServerFrame | Envelope): void => {
    if ('offset' in frame && 'data' in frame) {
      if (frame.epoch !== cursor?.epoch || frame.offset !== cursor.offset + 1)
        wrong(`change ${frame.offset} came after ${cursor?.offset}`);
      cursor = { epoch: frame.epoch, offset: frame.offset };
      if (held) held.push(frame);
      else apply(frame);
      return;
    }
    if (frame.type === 'subscribed') subscribed(frame);
    if (frame.type === 'error' || frame.type === 'unsubscribed') wrong(JSON.stringify(frame));
  };

  const open = (): void => {
    if (isStopped) return;
    connection += 1;
    const mine = connection;
    isLive = false;
    // What was being read when the connection was lost is read again.
    if (held) cursor = undefined;
    held = undefined;
    const opened = new WebSocket(`${hub()}/ws`, {
      headers: { authorization: `Bearer ${token}` },
      localAddress: from,
      perMessageDeflate: false,
      handshakeTimeout: 30_000,
    });
    socket = opened;
    opened.on('open', () =>
      opened.send(JSON.stringify({ type: 'subscribe', channel, ...(cursor && { since: cursor }) })),
    );
    opened.on('message', (bytes) => {
      if (mine === connection && opened.readyState === WebSocket.OPEN) onFrame(JSON.parse(String(bytes)));
    });
    opened.on('error', () => undefined); // `close` follows
    opened.on('close', async (code) => {
      if (code >= IN_VAIN) wrong(`closed with ${code}`);
      isLive = false;
      failures += 1;
      const most = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
      await delay(most * (0.5 + random() / 2), undefined, { ref: false });
      if (mine === connection) open();
    });
  };

  const self: Follower = {
    get connection() {
      return connection;
    },
    get isLive() {
      return isLive;
    },
    shown: () => [...messages.values()].sort((a, b) => a.seq - b.seq),
    drop: (forgets) => {
      isLive = false;
      if (forgets) cursor = undefined;
      socket?.terminate();
    },
    stop: () => {
      isStopped = true;
      socket?.terminate();
    },
  };
  open();
  return self;
};
