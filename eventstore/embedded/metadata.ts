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

/** Like in EventStoreDB, metadata that is not JSON or exceeds the limits counts as none. */
export const parseMetadata = (json: string): StreamMetadata => {
  const raw = parseObject(json);
  const maxCount = limit(raw.$maxCount, 1);
  const maxAge = limit(raw.$maxAge, 1);
  const truncateBefore = limit(raw.$tb, 0);
  if (maxCount === null || maxAge === null || truncateBefore === null) return {};
  return { maxCount, maxAge, truncateBefore };
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

/** `undefined` when not set, `null` when not valid. */
const limit = (value: unknown, least: number): number | undefined | null => {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'number' && Number.isInteger(value) && value >= least ? value : null;
};
