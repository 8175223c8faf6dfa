/** Files in a bucket of an S3 server. The client is loaded when it is first needed: few installations have one. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { sleep } from '../../infra/retry.ts';
import { FileMissing, type FileStore, FileStoreAway, type Removed } from './fileStore.ts';
import {
  type Bucket,
  formerVersions,
  isRefused,
  removeFormerVersions,
  removeLastMark,
  removeVersions,
  type Sdk,
} from './s3Versions.ts';

export interface S3Settings {
  readonly bucket: string;
  /** Unset: that of Amazon for the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Unset: from the environment or the machine, as the client finds them. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** The bucket is a part of the path and not of the host name: most servers other than Amazon's need this. */
  readonly pathStyle: boolean;
  /** How long the server may take for the head of a reply, in ms; unset: half a minute. Each attempt has it anew. */
  readonly answerMs?: number;
}

const CONNECT_MS = 5_000;
const ANSWER_MS = 30_000;
/** A put may take longer than that: a second for so many bytes. */
const SLOWEST_BYTES_PER_S = 500_000;
const ATTEMPTS = 3;
const BETWEEN_MS = 200;

/** What fails is thrown: the client need not also write it to the console. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

const isMissing = (error: unknown): boolean =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404;

const away = (error: unknown): FileStoreAway =>
  new FileStoreAway(`the S3 server refuses or does not answer: ${(error as Error).name}`, { cause: error });

export const createS3Store = ({
  bucket,
  endpoint,
  region,
  credentials,
  pathStyle,
  answerMs = ANSWER_MS,
}: S3Settings): FileStore => {
  let loading: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  const load = async () => {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region,
      forcePathStyle: pathStyle,
      maxAttempts: ATTEMPTS,
      logger: SILENT,
      // Checksums that not every server knows. Sizes are compared, and the bytes come over TLS or a private network.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // No limit for a socket without bytes: a slow reader pauses the socket of a body, too.
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: answerMs, throwOnRequestTimeout: true },
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials && { credentials }),
    });
    return { sdk, client };
  };
  const use = async <T>(work: (sdk: Sdk, client: S3Client) => Promise<T>): Promise<T> => {
    loading ??= load();
    const { sdk, client } = await loading;
    try {
      return await work(sdk, client);
    } catch (error) {
      if (isMissing(error) && (error as Error).name !== 'NoSuchBucket')
        throw new FileMissing('there is no such object');
      throw away(error);
    }
  };
  const removing = (work: (from: Bucket) => Promise<void>): Promise<Removed> =>
    use(async (sdk, client) => {
      try {
        await work({ sdk, client, bucket });
        return 'gone';
      } catch (error) {
        if (!isRefused(error)) throw error;
        return 'versions_left';
      }
    });
  async function* former() {
    loading ??= load();
    try {
      yield* formerVersions({ ...(await loading), bucket });
    } catch (error) {
      throw away(error);
    }
  }
  /** A stream can be sent once: each attempt reads the file anew. */
  const send = async (
    sdk: Sdk,
    client: S3Client,
    key: string,
    path: string,
    type: string,
    attempt = 1,
  ): Promise<void> => {
    const { size } = await stat(path);
    const Body = createReadStream(path);
    try {
      await client.send(
        new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body, ContentLength: size, ContentType: type }),
        { requestTimeout: answerMs + (size / SLOWEST_BYTES_PER_S) * 1_000 },
      );
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(BETWEEN_MS * attempt);
      await send(sdk, client, key, path, type, attempt + 1);
    } finally {
      Body.destroy();
    }
  };
  return {
    put: (key, path, type) => use((sdk, client) => send(sdk, client, key, path, type)),
    get: (key, range) =>
      use(async (sdk, client) => {
        const Range = range && `bytes=${range.start}-${range.end}`;
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, Range }));
        return Body as Readable;
      }),
    remove: (key) =>
      use(async (sdk, client) => {
        const { DeleteMarker, VersionId } = await client
          .send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }))
          .catch(unlessMissing);
        try {
          await removeVersions({ sdk, client, bucket }, key);
          return 'gone';
        } catch (error) {
          if (!isRefused(error)) throw error;
          // A bucket without versions says nothing of them when an object is deleted.
          return DeleteMarker || VersionId ? 'versions_left' : 'gone';
        }
      }),
    former,
    removeFormer: (key) => removing((from) => removeFormerVersions(from, key)),
    removeMark: (key) => removing((from) => removeLastMark(from, key)),
  };
};

const unlessMissing = (error: unknown): { DeleteMarker?: boolean; VersionId?: string } => {
  if (isMissing(error) && (error as Error).name !== 'NoSuchBucket') return {};
  throw error;
};
