/**
 * The Protocol Buffers wire format (https://protobuf.dev/programming-guides/encoding), as much of it as EventStoreDB's
 * messages use. A message is described as parts and written once; a received one is read field by field.
 */

/** Describes some fields of a message. */
export type Part = (out: Output) => void;

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Filled from its end to its start, so that the length of a nested message is known when its header is written. */
class Output {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #start = this.#buffer.length;

  /** How many bytes are written. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** A copy of what `part` describes. */
  encode(part: Part): Buffer {
    this.#start = this.#buffer.length;
    part(this);
    return Buffer.from(this.#buffer.subarray(this.#start));
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length);
    this.#buffer.set(value, at);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    const at = this.#reserve(length);
    this.#buffer.write(value, at, length);
  }

  /** Low groups of seven bits come first, so the high ones are written before them. */
  varint(value: number | bigint): void {
    if (value >= 0x80) this.varint(typeof value === 'bigint' ? value >> 7n : Math.floor(value / 0x80));
    const low = typeof value === 'bigint' ? Number(value & 0x7fn) : value % 0x80;
    const at = this.#reserve(1);
    this.#buffer[at] = value >= 0x80 ? low | 0x80 : low;
  }

  #reserve(length: number): number {
    if (length > this.#start) this.#grow(length);
    this.#start -= length;
    return this.#start;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe((this.#buffer.length + length) * 2);
    const start = larger.length - this.length;
    this.#buffer.copy(larger, start, this.#start);
    this.#buffer = larger;
    this.#start = start;
  }
}

const header = (out: Output, field: number, type: number): void => out.varint(field * 8 + type);

export const uint =
  (field: number, value: number | bigint): Part =>
  (out) => {
    out.varint(value);
    header(out, field, VARINT);
  };

export const bytes =
  (field: number, value: Uint8Array): Part =>
  (out) => {
    out.bytes(value);
    out.varint(value.length);
    header(out, field, BYTES);
  };

export const text =
  (field: number, value: string): Part =>
  (out) => {
    const before = out.length;
    out.text(value);
    out.varint(out.length - before);
    header(out, field, BYTES);
  };

/** Several fields in a row; none at all when there are no parts. */
export const fields =
  (...parts: readonly Part[]): Part =>
  (out) => {
    for (let i = parts.length - 1; i >= 0; i--) parts[i]?.(out);
  };

/** A nested message; without parts, the empty message that EventStoreDB uses as a flag. */
export const message = (field: number, ...parts: readonly Part[]): Part => {
  const content = fields(...parts);
  return (out) => {
    const before = out.length;
    content(out);
    out.varint(out.length - before);
    header(out, field, BYTES);
  };
};

/** Used again for every message: encoding is never interrupted. */
const output = new Output();

export const encode = (...parts: readonly Part[]): Buffer => output.encode(fields(...parts));

/** The fields of one received message. Unknown fields are kept and ignored, as the format asks. */
export class Fields {
  readonly #numbers: number[] = [];
  readonly #values: (number | bigint | Uint8Array)[] = [];

  /** Throws a RangeError on bytes that are not a message. Byte values are views of `source`, not copies. */
  constructor(source: Uint8Array) {
    const cursor = { source, at: 0 };
    while (cursor.at < source.length) {
      const tag = readVarint(cursor);
      this.#numbers.push(Math.floor(tag / 8));
      this.#values.push(readValue(cursor, tag % 8));
    }
  }

  /** The last value wins when a single field was sent twice. */
  #last(field: number): number | bigint | Uint8Array | undefined {
    return this.#values[this.#numbers.lastIndexOf(field)];
  }

  has(field: number): boolean {
    return this.#numbers.includes(field);
  }

  /** Rounded above 2^53. */
  uint(field: number): number | undefined {
    const value = this.#last(field);
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
  }

  /** Exact in all 64 bits. */
  uint64(field: number): bigint | undefined {
    const value = this.#last(field);
    return typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : undefined;
  }

  bytes(field: number): Uint8Array | undefined {
    const value = this.#last(field);
    return value instanceof Uint8Array ? value : undefined;
  }

  text(field: number): string | undefined {
    const value = this.bytes(field);
    return value && asText(value);
  }

  message(field: number): Fields | undefined {
    const value = this.bytes(field);
    return value && new Fields(value);
  }

  /** Every value of a repeated length-delimited field. */
  all(field: number): Uint8Array[] {
    return this.#values.filter((value, i): value is Uint8Array => {
      return this.#numbers[i] === field && value instanceof Uint8Array;
    });
  }
}

export const asText = (value: Uint8Array): string =>
  Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8');

interface Cursor {
  readonly source: Uint8Array;
  at: number;
}

/** A number is exact below 2^53. */
const readVarint = (cursor: Cursor): number => {
  let value = 0;
  for (let scale = 1; scale <= 2 ** 63; scale *= 0x80) {
    const byte = cursor.source[cursor.at++];
    if (byte === undefined) throw new RangeError('malformed message: it ends inside a number');
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
  }
  throw new RangeError('malformed message: a number longer than ten bytes');
};

/** A number where it is exact, which is nearly always. */
const readInteger = (cursor: Cursor): number | bigint => {
  const start = cursor.at;
  const value = readVarint(cursor);
  if (value <= Number.MAX_SAFE_INTEGER) return value;
  const groups = cursor.source.subarray(start, cursor.at);
  return BigInt.asUintN(
    64,
    groups.reduceRight((high, byte) => (high << 7n) | BigInt(byte & 0x7f), 0n),
  );
};

const readValue = (cursor: Cursor, type: number): number | bigint | Uint8Array => {
  if (type === VARINT) return readInteger(cursor);
  if (type !== BYTES && type !== FIXED64 && type !== FIXED32)
    throw new RangeError(`malformed message: wire type ${type}`);
  const length = type === BYTES ? readVarint(cursor) : type === FIXED64 ? 8 : 4;
  const end = cursor.at + length;
  if (end > cursor.source.length) throw new RangeError('malformed message: it ends inside a value');
  const value = cursor.source.subarray(cursor.at, end);
  cursor.at = end;
  return value;
};
