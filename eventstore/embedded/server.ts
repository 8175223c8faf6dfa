/** The gRPC server: EventStoreDB's `Streams` and `ServerFeatures` services. Every other method is UNIMPLEMENTED. */
import {
  type Deadline,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type MethodDefinition,
  Server,
  ServerCredentials,
  status,
} from '@grpc/grpc-js';
import { append, deleteStream } from './append.ts';
import { BatchAppendCall } from './batchAppend.ts';
import { type CallError, callError, Refused } from './faults.ts';
import { supportedFeatures } from './features.ts';
import type { Log } from './log.ts';
import { Outlet } from './outlet.ts';
import { read } from './read.ts';
import { decodeRead, InvalidRequest } from './requests.ts';
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

export class NodeServer {
  readonly #log: Log;
  readonly #writer: Writer;
  readonly #report: (error: unknown) => void;
  readonly #server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES });
  readonly #outlets = new Set<Outlet>();

  /** `report` gets errors that no caller caused. */
  constructor(log: Log, writer: Writer, report: (error: unknown) => void) {
    this.#log = log;
    this.#writer = writer;
    this.#report = report;
    this.#server.addService(featuresService, { getSupportedMethods: this.#getSupportedMethods });
    this.#server.addService(streamsService, {
      read: this.#read,
      append: this.#append,
      batchAppend: this.#batchAppend,
      delete: this.#deleteStream('delete'),
      tombstone: this.#deleteStream('tombstone'),
    });
  }

  /** Loopback only: there is no authentication. Port 0 takes a free one. Resolves to the port; throws when it is taken. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
        if (error) reject(new Error(`cannot listen on 127.0.0.1:${port}`, { cause: error }));
        else resolve(bound);
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
      await read(this.#log, decodeRead(call.request), outlet);
      outlet.end();
    });
  };

  readonly #batchAppend: handleBidiStreamingCall<Buffer, Buffer> = async (call) => {
    const outlet = new Outlet(call);
    await this.#whileOpen(outlet, () => new BatchAppendCall(this.#writer, outlet).serve(call));
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

const milliseconds = (deadline: Deadline): number => (deadline instanceof Date ? deadline.getTime() : deadline);
