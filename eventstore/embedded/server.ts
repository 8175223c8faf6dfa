/**
 * The gRPC server: EventStoreDB's `Streams`, `ServerFeatures` and `Gossip` services. Every other method is
 * UNIMPLEMENTED.
 */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  type Deadline,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { append, deleteStream } from './append.ts';
import { BatchAppendCall } from './batchAppend.ts';
import { type CallError, callError, Refused } from './faults.ts';
import { supportedFeatures } from './features.ts';
import type { Log } from './log.ts';
import { Outlet } from './outlet.ts';
import { read } from './read.ts';
import { clusterOfOne } from './replies.ts';
import { decodeRead, InvalidRequest } from './requests.ts';
import type { Traits } from './traits.ts';
import type { Writer } from './writer.ts';

/** The largest message EventStoreDB takes; an append has its own, lower limit. */
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;
/** How long callers can still read their last answers when the node stops. */
const SHUTDOWN_MS = 2000;

const asIs = (message: Buffer): Buffer => message;

/** Messages stay bytes here, so that a malformed request gets a precise error. */
const method = (path: string, requestStream: boolean, responseStream: boolean): MethodDefinition<Buffer, Buffer> => ({
  path,
  requestStream,
  responseStream,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
});

const STREAMS = '/event_store.client.streams.Streams';
const streamsService = {
  read: method(`${STREAMS}/Read`, false, true),
  append: method(`${STREAMS}/Append`, true, false),
  batchAppend: method(`${STREAMS}/BatchAppend`, true, true),
  delete: method(`${STREAMS}/Delete`, false, false),
  tombstone: method(`${STREAMS}/Tombstone`, false, false),
};
const featuresService = {
  getSupportedMethods: method('/event_store.client.server_features.ServerFeatures/GetSupportedMethods', false, false),
};

const gossipService = { read: method('/event_store.client.gossip.Gossip/Read', false, false) };

/** Loopback only: there is no TLS. `access.ts` decides who of this machine may use it. */
const HOST = '127.0.0.1';

export class NodeServer {
  readonly #log: Log;
  readonly #writer: Writer;
  readonly #report: (error: unknown) => void;
  readonly #server: Server;
  readonly #outlets = new Set<Outlet>();
  readonly #traits: Traits;
  readonly #id = randomUUID();
  #port = 0;

  /** `report` gets errors that no caller caused. */
  constructor(
    log: Log,
    writer: Writer,
    report: (error: unknown) => void,
    traits: Traits = new Set(),
    interceptors: ServerInterceptor[] = [],
  ) {
    this.#server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES, interceptors });
    this.#log = log;
    this.#writer = writer;
    this.#report = report;
    this.#traits = traits;
    this.#server.addService(featuresService, { getSupportedMethods: this.#getSupportedMethods });
    this.#server.addService(gossipService, { read: this.#gossip });
    this.#server.addService(streamsService, {
      read: this.#read,
      append: this.#append,
      batchAppend: this.#batchAppend,
      delete: this.#deleteStream('delete'),
      tombstone: this.#deleteStream('tombstone'),
    });
  }

  /** Port 0 takes a free one. Resolves to the port; throws when it is taken. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(`${HOST}:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
        if (error) return reject(new Error(`cannot listen on ${HOST}:${port}`, { cause: error }));
        this.#port = bound;
        resolve(bound);
      });
    });
  }

  /** Answers the writes that were accepted, ends the long calls with `unavailable`, then resolves. */
  async close(): Promise<void> {
    await this.#writer.close();
    for (const outlet of this.#outlets) outlet.fail(callError({ kind: 'unavailable' }, ''));
    await new Promise<void>((resolve) => {
      const deadline = setTimeout(() => this.#server.forceShutdown(), SHUTDOWN_MS);
      this.#server.tryShutdown(() => {
        clearTimeout(deadline);
        resolve();
      });
    });
  }

  readonly #getSupportedMethods: handleUnaryCall<Buffer, Buffer> = (_call, answer) => answer(null, supportedFeatures());

  /** Clients with several hosts, or with `esdb+discover`, ask here where the leader is. */
  readonly #gossip: handleUnaryCall<Buffer, Buffer> = (_call, answer) =>
    answer(null, clusterOfOne({ id: this.#id, host: HOST, port: this.#port, now: Date.now() }));

  readonly #append: handleClientStreamingCall<Buffer, Buffer> = (call, answer) => {
    append(this.#writer, call, milliseconds(call.getDeadline())).then(
      (reply) => answer(null, reply),
      (error) => answer(this.#toCallError(error)),
    );
  };

  #deleteStream(kind: 'delete' | 'tombstone'): handleUnaryCall<Buffer, Buffer> {
    return (call, answer) => {
      deleteStream(this.#writer, kind, call.request).then(
        (reply) => answer(null, reply),
        (error) => answer(this.#toCallError(error)),
      );
    };
  }

  readonly #read: handleServerStreamingCall<Buffer, Buffer> = async (call) => {
    const outlet = new Outlet(call);
    await this.#whileOpen(outlet, async () => {
      const requiresLeader = call.metadata.get('requires-leader').includes('true');
      const request = decodeRead(call.request, requiresLeader);
      await read({ log: this.#log, request, outlet, traits: this.#traits });
      outlet.end();
    });
  };

  readonly #batchAppend: handleBidiStreamingCall<Buffer, Buffer> = async (call) => {
    const outlet = new Outlet(call);
    await this.#whileOpen(outlet, () => new BatchAppendCall(this.#writer, outlet).serve(received(call)));
  };

  async #whileOpen(outlet: Outlet, serve: () => Promise<void>): Promise<void> {
    this.#outlets.add(outlet);
    try {
      await serve();
    } catch (error) {
      if (outlet.open) outlet.fail(this.#toCallError(error));
      else if (error instanceof Error && !isBrokenOff(error)) this.#report(error);
    } finally {
      this.#outlets.delete(outlet);
    }
  }

  #toCallError(error: unknown): CallError {
    if (error instanceof Refused) return callError(error.fault, error.stream);
    if (error instanceof InvalidRequest || error instanceof RangeError)
      return { code: status.INVALID_ARGUMENT, details: error.message };
    this.#report(error);
    return { code: status.INTERNAL, details: error instanceof Error ? error.message : String(error) };
  }
}

/** The caller disconnected: the node is not at fault, and there is no one to answer. */
const isBrokenOff = (error: Error): boolean => 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Leaving the loop over a call destroys it, and with it the replies that are still to be sent. */
const received = (call: Readable): AsyncIterable<Buffer> => ({
  [Symbol.asyncIterator]: () => call.iterator({ destroyOnReturn: false }),
});

const milliseconds = (deadline: Deadline): number => (deadline instanceof Date ? deadline.getTime() : deadline);
