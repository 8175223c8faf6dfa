/** The little of TURN (RFC 8656) that a client needs to allocate a relay over UDP with long-term credentials. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as delay } from 'node:timers/promises';

const MAGIC = 0x2112a442;
const ALLOCATE = 0x0003;
const ALLOCATED = 0x0103;
const Attribute = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  realm: 0x0014,
  nonce: 0x0015,
  transport: 0x0019,
};
const UDP = Buffer.from([17, 0, 0, 0]);

const attribute = (type: number, value: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
};

const message = (attributes: Buffer, length = attributes.length): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(ALLOCATE, 0);
  head.writeUInt16BE(length, 2);
  head.writeUInt32BE(MAGIC, 4);
  return Buffer.concat([head, randomBytes(12), attributes]);
};

/** With its message integrity, whose length counts in the header that is signed. */
const signed = (attributes: Buffer, key: Buffer): Buffer => {
  const plain = message(attributes, attributes.length + 24);
  return Buffer.concat([plain, attribute(Attribute.integrity, createHmac('sha1', key).update(plain).digest())]);
};

const attributesOf = (reply: Buffer): ReadonlyMap<number, Buffer> => {
  const found = new Map<number, Buffer>();
  for (let at = 20; at + 4 <= reply.length; ) {
    const length = reply.readUInt16BE(at + 2);
    found.set(reply.readUInt16BE(at), reply.subarray(at + 4, at + 4 + length));
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  return found;
};

/** The id of the transaction, which the answer repeats. */
const idOf = (packet: Buffer): string => packet.toString('hex', 8, 20);

/** Asks until there is an answer: datagrams may be lost, and the server may still be starting. */
const ask = async (socket: Socket, port: number, request: Buffer): Promise<Buffer> => {
  const reply = new Promise<Buffer>((resolve) =>
    socket.on('message', (packet) => idOf(packet) === idOf(request) && resolve(packet)),
  );
  for (let attempt = 0; attempt < 300; attempt += 1) {
    socket.send(request, port, '127.0.0.1');
    const answer = await Promise.race([reply, delay(50)]);
    if (answer) return answer;
  }
  throw new Error('the TURN server does not answer');
};

/** Allocates a relay. @returns `allocated`, or the error code of the server */
export const allocate = async (port: number, username: string, password: string): Promise<'allocated' | number> => {
  // One for both requests: the nonce is that of its address.
  const socket = createSocket('udp4').on('error', () => undefined);
  try {
    const transport = attribute(Attribute.transport, UDP);
    const challenge = attributesOf(await ask(socket, port, message(transport)));
    const realm = challenge.get(Attribute.realm) ?? Buffer.alloc(0);
    const nonce = challenge.get(Attribute.nonce) ?? Buffer.alloc(0);
    const key = createHash('md5').update(`${username}:${realm}:${password}`).digest();
    const credentials = [
      attribute(Attribute.username, Buffer.from(username)),
      attribute(Attribute.realm, realm),
      attribute(Attribute.nonce, nonce),
    ];
    const reply = await ask(socket, port, signed(Buffer.concat([transport, ...credentials]), key));
    if (reply.readUInt16BE(0) === ALLOCATED) return 'allocated';
    const error = attributesOf(reply).get(Attribute.error);
    return error ? (error[2] as number) * 100 + (error[3] as number) : 0;
  } finally {
    socket.close();
  }
};
