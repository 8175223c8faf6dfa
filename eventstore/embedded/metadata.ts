/**
 * What a stream's metadata (the last event of `$$<stream>`) says about which of its events may still be read.
 * Names and limits are EventStoreDB's: https://docs.kurrent.io/server/v24.10/features/streams#reserved-names
 */
export interface StreamMetadata {
  readonly maxCount?: number;
  /** Seconds. */
  readonly maxAge?: number;
  readonly truncateBefore?: number;
}

/** The highest possible revision. As `$tb` it hides the whole stream, which is a soft delete. */
export const LAST_REVISION = 2n ** 63n - 1n;
const DELETED = Number(LAST_REVISION);

export const METADATA_EVENT = '$metadata';
export const TOMBSTONE_EVENT = '$streamDeleted';
export const LINK_EVENT = '$>';

export const metadataStreamOf = (stream: string): string => `$$${stream}`;
export const isMetadataStream = (stream: string): boolean => stream.startsWith('$$');
export const originalStreamOf = (metadataStream: string): string => metadataStream.slice(2);

export const isSoftDeleted = (metadata: StreamMetadata): boolean => metadata.truncateBefore === DELETED;

/** Written by hand: a JavaScript number cannot hold the last revision. */
export const SOFT_DELETE = Buffer.from(`{"$tb":${LAST_REVISION}}`);

/** Keys of EventStoreDB that hold an integer. */
const INTEGERS = ['$maxCount', '$maxAge', '$tb', '$cacheControl'];
/** The longest age that a .NET `TimeSpan` holds. */
const LONGEST_AGE = 922_337_203_685;

/**
 * As in EventStoreDB: a number out of range counts as not set; a value of another JSON type, or text that is not JSON,
 * makes all of it count as not set.
 */
export const parseMetadata = (json: string): StreamMetadata => {
  const raw = parseObject(json);
  if (INTEGERS.some((key) => key in raw && !Number.isInteger(raw[key]))) return {};
  return {
    maxCount: within(raw.$maxCount, 1, DELETED),
    maxAge: within(raw.$maxAge, 1, LONGEST_AGE),
    truncateBefore: within(raw.$tb, 0, DELETED),
  };
};

/** The metadata that makes a soft-deleted stream readable again from `revision`, all else kept. */
export const recreatedFrom = (json: string, revision: number): Buffer =>
  Buffer.from(JSON.stringify({ ...parseObject(json), $tb: revision }));

const parseObject = (json: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
};

const within = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && value >= least && value <= most ? value : undefined;
