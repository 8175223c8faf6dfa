/** One connection to one node, with the calls that run over it. */
import { type Duplex, finished, type Readable, type Writable } from 'node:stream';
import { type EndPoint, type GRPCClientConstructor, UnavailableError } from '@eventstore/db-client';
import { Channel, type ChannelCredentials, type Client } from '@grpc/grpc-js';
import { addressOf } from './discovery.ts';
import type { ConnectionSettings } from './settings.ts';

type Call = Readable | Writable | Duplex;

/** The client's limit: a server can hold events that are larger than an append over gRPC may be. */
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;

const cancel = (call: Call): void => {
  if ('cancel' in call && typeof call.cancel === 'function') call.cancel();
};

export class Connection {
  readonly #channel: Channel;
  readonly #credentials: ChannelCredentials;
  readonly #clients = new Map<unknown, Client>();
  readonly #calls = new Map<Call, { readonly isShared: boolean }>();
  #heardAt = performance.now();
  #closed = false;

  constructor(endPoint: EndPoint, settings: ConnectionSettings) {
    this.#credentials = settings.channelCredentials;
    this.#channel = new Channel(addressOf(endPoint), settings.channelCredentials, {
      'grpc.keepalive_time_ms': settings.keepAliveMs,
      'grpc.keepalive_timeout_ms': settings.keepAliveTimeoutMs,
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      // Otherwise the next connection to this node would share a socket that may be dead.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /** When the node last sent something, as `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  client<C extends Client>(service: GRPCClientConstructor<C>): C {
    const known = this.#clients.get(service);
    if (known instanceof service) return known;
    const client = new service('', this.#credentials, { channelOverride: this.#channel });
    this.#clients.set(service, client);
    return client;
  }

  /** `isShared`: many callers wait for its answers, each with a time limit of its own. */
  track(call: Call, { isShared }: { isShared: boolean }, onEnd: (error: Error | null | undefined) => void): void {
    this.#calls.set(call, { isShared });
    if ('push' in call) {
      const push = call.push.bind(call);
      call.push = (...message) => {
        this.#heardAt = performance.now();
        return push(...message);
      };
    }
    finished(call, (error) => {
      this.#calls.delete(call);
      onEnd(error);
    });
  }

  /** Ends all calls with an error, and closes the channel. Safe to call again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const [call, { isShared }] of this.#calls) {
      // Subscriptions and reads take a cancelled call for one that they have cancelled themselves, and stay silent.
      if (!isShared) call.destroy(new UnavailableError(undefined, 'the connection was given up'));
      cancel(call);
    }
    this.#channel.close();
  }
}
