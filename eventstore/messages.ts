/**
 * The messages of EventStoreDB's gRPC services that are read or written below its client: by the event node, and where a
 * cluster is searched for its leader. Names and numbers of fields are those of streams.proto, shared.proto, gossip.proto,
 * serverfeatures.proto and status.proto of the server, as far as they are used.
 *
 * Some things differ from those files, and none of them on the wire: `bytes` stands for a message that is read later, or
 * passed on as it is; `string` for the name of a stream; the fields of a `oneof` stand by themselves; and what is null
 * rather than zero when it is absent is `optional`.
 */
import protobuf from 'protobufjs';

const { root } = protobuf.parse(`
  syntax = "proto3";

  message Empty {}
  message UUID { Structured structured = 1; optional string string = 2; }
  message Structured { int64 most_significant_bits = 1; int64 least_significant_bits = 2; }
  message StreamIdentifier { optional string stream_name = 3; }
  message Position { uint64 commit_position = 1; uint64 prepare_position = 2; }
  message Timestamp { int64 seconds = 1; int32 nanos = 2; }

  // What a write expects of its stream, and where it goes.
  message WriteOptions {
    StreamIdentifier stream_identifier = 1;
    uint64 revision = 2; Empty no_stream = 3; Empty any = 4; Empty stream_exists = 5;
    Timestamp deadline = 6; // only of a batch
  }
  message ProposedMessage { UUID id = 1; map<string, string> metadata = 2; optional bytes custom_metadata = 3; optional bytes data = 4; }

  // Requests and replies.
  message AppendReq { WriteOptions options = 1; optional bytes proposed_message = 2; }
  message AppendResp { Success success = 1; WrongExpectedVersion wrong_expected_version = 2; }
  message Success { uint64 current_revision = 1; Empty no_stream = 2; Position position = 3; Empty no_position = 4; }
  message WrongExpectedVersion {
    uint64 current_revision = 6; Empty current_no_stream = 7;
    uint64 expected_revision = 8; Empty expected_any = 9; Empty expected_stream_exists = 10; Empty expected_no_stream = 11;
  }

  message BatchAppendReq { optional bytes correlation_id = 1; WriteOptions options = 2; repeated bytes proposed_messages = 3; bool is_final = 4; }
  message BatchAppendResp { bytes correlation_id = 1; Status error = 2; Success success = 3; StreamIdentifier stream_identifier = 4; }

  // google.rpc.Status with its details in a google.protobuf.Any.
  message Status { int32 code = 1; string message = 2; Any details = 3; }
  message Any { string type_url = 1; bytes value = 2; }
  message Details {
    message WrongExpectedVersion {
      uint64 current_stream_revision = 1; Empty current_no_stream = 2;
      uint64 expected_stream_position = 3; Empty expected_any = 4; Empty expected_stream_exists = 5; Empty expected_no_stream = 6;
    }
    message StreamDeleted { StreamIdentifier stream_identifier = 1; }
    message MaximumAppendSizeExceeded { uint32 max_append_size = 1; }
    message Timeout {}
    message BadRequest { string message = 1; }
  }

  // DeleteReq and TombstoneReq, DeleteResp and TombstoneResp.
  message DeleteReq { WriteOptions options = 1; }
  message DeleteResp { Position position = 1; }

  message ReadReq { ReadOptions options = 1; }
  message ReadOptions {
    StreamOptions stream = 1; AllOptions all = 2;
    uint32 read_direction = 3; bool resolve_links = 4;
    uint64 count = 5; Empty subscription = 6;
    FilterOptions filter = 7;
  }
  message StreamOptions { StreamIdentifier stream_identifier = 1; uint64 revision = 2; Empty start = 3; Empty end = 4; }
  message AllOptions { Position position = 1; Empty start = 2; Empty end = 3; }
  message FilterOptions { Expression stream_identifier = 1; Expression event_type = 2; optional uint32 max = 3; uint32 checkpoint_interval_multiplier = 5; }
  message Expression { optional string regex = 1; repeated string prefix = 2; }

  message ReadResp {
    ReadEvent event = 1; SubscriptionConfirmation confirmation = 2; Position checkpoint = 3;
    StreamNotFound stream_not_found = 4; Empty caught_up = 8;
  }
  message ReadEvent { optional bytes event = 1; optional bytes link = 2; uint64 commit_position = 3; }
  message RecordedEvent {
    UUID id = 1; StreamIdentifier stream_identifier = 2; uint64 stream_revision = 3;
    uint64 prepare_position = 4; uint64 commit_position = 5;
    map<string, string> metadata = 6; optional bytes custom_metadata = 7; optional bytes data = 8;
  }
  message SubscriptionConfirmation { string subscription_id = 1; }
  message StreamNotFound { StreamIdentifier stream_identifier = 1; }

  message ClusterInfo { repeated MemberInfo members = 1; }
  message MemberInfo { UUID instance_id = 1; int64 time_stamp = 2; uint32 state = 3; bool is_alive = 4; EndPoint http_end_point = 5; }
  message EndPoint { optional string address = 1; uint32 port = 2; }

  message SupportedMethods { repeated SupportedMethod methods = 1; string event_store_server_version = 2; }
  message SupportedMethod { string method_name = 1; string service_name = 2; repeated string features = 3; }
`);

/** A 64-bit integer that was received. */
interface Long {
  toNumber(): number;
  toString(): string;
}
type Empty = Readonly<Record<never, never>>;
type Text = Readonly<Record<string, string>>;
/** To be written, or as it was read. */
interface Message {
  readonly [field: string]: unknown;
}

export interface Uuid {
  readonly structured: { readonly mostSignificantBits: Long; readonly leastSignificantBits: Long } | null;
  readonly string: string | null;
}
export interface StreamIdentifier {
  readonly streamName: string | null;
}
export interface WriteOptions {
  readonly streamIdentifier: StreamIdentifier | null;
  readonly revision: Long;
  readonly noStream: Empty | null;
  readonly any: Empty | null;
  readonly streamExists: Empty | null;
  readonly deadline: { readonly seconds: Long; readonly nanos: number } | null;
}
export interface FilterOptions {
  readonly streamIdentifier: Expression | null;
  readonly eventType: Expression | null;
  readonly max: number | null;
  readonly checkpointIntervalMultiplier: number;
}
interface Expression {
  readonly regex: string | null;
  readonly prefix: readonly string[];
}
export interface StreamOptions {
  readonly streamIdentifier: StreamIdentifier | null;
  readonly revision: Long;
  readonly start: Empty | null;
  readonly end: Empty | null;
}
export interface AllOptions {
  readonly position: { readonly commitPosition: Long } | null;
  readonly start: Empty | null;
  readonly end: Empty | null;
}

/** The messages that are read, as they are once read. */
interface Read {
  readonly AppendReq: { readonly options: WriteOptions | null; readonly proposedMessage: Buffer | null };
  readonly BatchAppendReq: {
    readonly correlationId: Buffer | null;
    readonly options: WriteOptions | null;
    readonly proposedMessages: readonly Buffer[];
    readonly isFinal: boolean;
  };
  readonly BatchAppendResp: { readonly correlationId: Buffer; readonly error: { readonly message: string } | null };
  readonly UUID: Uuid;
  readonly ProposedMessage: {
    readonly id: Uuid | null;
    readonly metadata: Text;
    readonly customMetadata: Uint8Array | null;
    readonly data: Uint8Array | null;
  };
  readonly DeleteReq: { readonly options: WriteOptions | null };
  readonly ReadReq: {
    readonly options: {
      readonly stream: StreamOptions | null;
      readonly all: AllOptions | null;
      readonly readDirection: number;
      readonly resolveLinks: boolean;
      readonly count: Long;
      readonly subscription: Empty | null;
      readonly filter: FilterOptions | null;
    } | null;
  };
  readonly ReadResp: { readonly event: { readonly event: Buffer | null } | null };
  readonly RecordedEvent: {
    readonly id: Uuid | null;
    readonly streamIdentifier: StreamIdentifier | null;
    readonly streamRevision: Long;
    readonly commitPosition: Long;
    readonly metadata: Text;
    readonly data: Uint8Array | null;
  };
  readonly ClusterInfo: {
    readonly members: readonly {
      readonly state: number;
      readonly isAlive: boolean;
      readonly httpEndPoint: { readonly address: string | null; readonly port: number } | null;
    }[];
  };
}

const types = new Map<string, protobuf.Type>();
const typeOf = (name: string): protobuf.Type => {
  const type = types.get(name) ?? root.lookupType(name);
  types.set(name, type);
  return type;
};

/** @throws RangeError for bytes that are no such message. Fields of bytes are views of `source`, not copies. */
export const decode = <Name extends keyof Read>(name: Name, source: Uint8Array): Read[Name] => {
  try {
    return typeOf(name).decode(source) as unknown as Read[Name];
  } catch (error) {
    throw new RangeError(`malformed message: ${error instanceof Error ? error.message : error}`);
  }
};

/** The state of the member of a cluster that leads. */
export const LEADER = 8;

/** What is undefined is not written. @param message the fields of the definition above, in camel case */
export const encode = (name: string, message: Message): Buffer => typeOf(name).encode(message).finish() as Buffer;
