/** Topics for ws, which has none: one frame of bytes, written to the connection of every socket that has joined. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

interface Member {
  readonly socket: WebSocket;
  readonly connection: Duplex;
  /** What it has joined. */
  topics?: Set<string>;
}

export interface Topics {
  join(topic: string, member: Member): void;
  leave(topic: string, member: Member): void;
  leaveAll(member: Member): void;
  publish(topic: string, payload: Uint8Array): void;
}

/** An unmasked text frame of RFC 6455. */
const textFrame = (payload: Uint8Array): Buffer => {
  const { length } = payload;
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = 0x81;
  frame[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (header === 4) frame.writeUInt16BE(length, 2);
  if (header === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(payload, header);
  return frame;
};

export const createTopics = (): Topics => {
  const topics = new Map<string, Set<Member>>();
  /** Connections that hold back what is published in this tick, to write it at once. */
  const corked = new Set<Duplex>();

  const uncork = (): void => {
    for (const connection of corked) connection.uncork();
    corked.clear();
  };
  const cork = (connection: Duplex): void => {
    if (corked.has(connection)) return;
    if (corked.size === 0) process.nextTick(uncork);
    corked.add(connection);
    connection.cork();
  };
  const leave = (topic: string, member: Member): void => {
    member.topics?.delete(topic);
    const members = topics.get(topic);
    if (members?.delete(member) && members.size === 0) topics.delete(topic);
  };

  return {
    join: (topic, member) => {
      const members = topics.get(topic) ?? new Set();
      topics.set(topic, members.add(member));
      member.topics ??= new Set();
      member.topics.add(topic);
    },
    leave,
    leaveAll: (member) => {
      for (const topic of member.topics ?? []) leave(topic, member);
    },
    publish: (topic, payload) => {
      const frame = textFrame(payload);
      for (const { socket, connection } of topics.get(topic) ?? []) {
        // ws writes its own frames at once as well, so that all keep their order. Nothing may follow its close frame.
        if (socket.readyState !== socket.OPEN) continue;
        cork(connection);
        connection.write(frame);
      }
    },
  };
};
