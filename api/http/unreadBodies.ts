/** What is left of a body when its request was answered, refused before all of it had arrived. */
import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';

interface RestLimits {
  /** At most so much of the rest is read. */
  readonly bytes: number;
  /** When the rest has not arrived by then, the connection is closed. */
  readonly withinMs: number;
}

/** Many clients read an answer only after they have sent everything, or at least some of it; slow ones take seconds for that. */
const LIMITS: RestLimits = { bytes: 1024 * 1024, withinMs: 10_000 };

/**
 * Reads the rest of the body of an answered request, so that the connection can serve further requests.
 * @param isLast the answer said that the connection closes
 */
const readRest = (req: IncomingMessage, { bytes, withinMs }: RestLimits, isLast: boolean): void => {
  const { socket } = req;
  const timer = setTimeout(() => socket.destroy(), withinMs).unref();
  let left = bytes;
  const end = () => {
    clearTimeout(timer);
    socket.off('resume', watch);
    socket.off('data', count);
    socket.off('close', end);
    if (isLast) Socket.prototype.destroySoon.call(socket); // all was read: the answer arrives
  };
  // After the parser, which has been there before: so it knows whether this was the end.
  const count = (data: Buffer) => {
    if (req.complete) return end();
    left -= data.length;
    if (left >= 0) return;
    // Nothing is parsed or read any more. The sender has the rest of the time to read the answer.
    socket.removeAllListeners('data').pause();
  };
  // Only when the socket is read again: a listener that comes before takes the reading from the parser while it stands still.
  const watch = () => socket.on('data', count);
  socket.once('close', end);
  if (socket.isPaused()) socket.once('resume', watch);
  else watch();
  req.unpipe().resume();
};

/**
 * Bounds what is read of bodies after the answer: whoever was refused must not keep us busy by sending on. Nothing else
 * reads the rest, because a reply that waits for others on its connection comes late. Where the rest may be longer than what
 * is read of it, the answer says that the connection closes, so that the client sends nothing more over it.
 */
export const limitUnreadBodies = (server: Server, limits = LIMITS): void => {
  server.on('request', (req, res) => {
    if (Number(req.headers['content-length']) > limits.bytes && res.shouldKeepAlive) {
      res.shouldKeepAlive = false;
      req.once('end', () => {
        res.shouldKeepAlive = server.listening; // while the server stops, every answer is the last one
      });
    }
    // Before Node closes the connection of a last answer: with unread bytes, that would cut off the answer, too.
    res.prependOnceListener('finish', () => {
      const { socket } = req;
      if (req.complete || socket.destroyed) return;
      const isLast = !res.shouldKeepAlive || res.getHeader('connection') === 'close';
      if (isLast) socket.destroySoon = () => void socket.end();
      readRest(req, limits, isLast);
    });
  });
};
