/** Files in a bucket of an S3 server. The client is loaded when it is first needed: few installations have one. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { leftOf } from '../../infra/deadline.ts';
import type { Logger } from '../../infra/log.ts';
import { deepestCause, isTlsFault } from '../../infra/outsideFault.ts';
import { createBackoff, linkSignals, sleep, TimedOut, withTimeout } from '../../infra/retry.ts';
import { isStoreAway } from '../../infra/storeFaults.ts';
import { watchStore } from '../../infra/storeWatch.ts';
import { FileMissing, type FileStore, FileStoreAway, type Removed } from './fileStore.ts';
import { onlyFromServer } from './s3Answers.ts';
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
  /** How long the server may be silent while a call waits for it, in ms, all attempts together; unset: some seconds. */
  readonly answerMs?: number;
  readonly log?: Logger;
}

/** A request that waits for it has its 503 within five seconds. */
const ANSWER_MS = 4_000;
/** Of a body that is being read: the reply has begun, and a busy server may pause. So many times the answer's limit. */
const PAUSES = 4;
/** A put may take longer in all: a second for so many bytes. */
const SLOWEST_BYTES_PER_S = 500_000;
const ATTEMPTS = 3;
const BETWEEN_MS = 200;
/** How often it is asked whether it is back, and how long it may take to answer that. */
const ASK = { everyMs: 1_000, patienceMs: 2_000 };
/** Downloads keep a connection each, for as long as their reader takes. */
const CONNECTIONS = 1_000;
const NAME = 'the file store';

/** What fails is thrown: the client need not also write it to the console. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** It has answered that it cannot at present, or the connection was lost. What it does not answer has had its time. */
const isWorthRepeating = (error: unknown): boolean => {
  const status = statusOf(error);
  return status === undefined ? isStoreAway(error) && !(error instanceof TimedOut) : status === 429 || status >= 500;
};

/** Only what says so: a missing bucket is answered with 404 as well. */
const isMissing = (error: unknown): boolean => (error as Error).name === 'NoSuchKey';

/** Answers that stay the same until somebody changes a setting, a key or the bucket. */
const FOR_GOOD: readonly unknown[] = [400, 401, 403, 404];

const away = (error: unknown): FileStoreAway =>
  new FileStoreAway(`the S3 server refuses or does not answer: ${deepestCause(error)}`, {
    cause: error,
    isForGood: FOR_GOOD.includes(statusOf(error)) || isTlsFault(error),
  });

/** A body that ends with an error when the server pauses for too long. Time in which nobody reads does not count. */
async function* withoutPauses(body: Readable, longestMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const { value, done } = await withTimeout(chunks.next(), longestMs, `${NAME} has stopped sending a file`);
      if (done) return;
      yield value;
    }
  } finally {
    body.destroy();
  }
}

const load = async ({ region, pathStyle, endpoint, credentials }: S3Settings) => {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    forcePathStyle: pathStyle,
    maxAttempts: 1, // repeated here, all within one limit
    logger: SILENT,
    // Checksums that not every server knows. Sizes are compared, and the bytes come over TLS or a private network.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false, // servers that do not know it are silent for some seconds
    // No limit for a socket without bytes: a slow reader pauses the socket of a body, too.
    requestHandler: { httpAgent: { maxSockets: CONNECTIONS }, httpsAgent: { maxSockets: CONNECTIONS } },
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
  });
  onlyFromServer(client);
  return { sdk, client };
};

export const createS3Store = (settings: S3Settings): FileStore => {
  const { bucket, answerMs = ANSWER_MS, log } = settings;
  let loading: ReturnType<typeof load> | undefined;
  const loaded = () => {
    loading ??= load(settings);
    return loading;
  };
  const inTime = <T>(work: (abort: AbortSignal) => Promise<T>, limitMs: number): Promise<T> => {
    const abort = new AbortController();
    const working = work(abort.signal);
    return withTimeout(working, limitMs, `${NAME} does not answer in time`).catch((error: unknown) => {
      abort.abort();
      working.catch(() => undefined);
      throw error;
    });
  };
  /** Any answer shows that it is there; it need not know the object. */
  const ask = async (): Promise<void> => {
    const { sdk, client } = await loaded();
    const head = new sdk.HeadObjectCommand({ Bucket: bucket, Key: 'is-it-there' });
    await inTime((abortSignal) => client.send(head, { abortSignal }), ASK.patienceMs).catch((error: unknown) => {
      if ((statusOf(error) ?? 500) >= 500) throw error;
    });
  };
  const watch = watchStore({
    name: NAME,
    line: 'the file store is away',
    ask,
    ...ASK,
    isAskedAlways: false,
    log,
  });
  /** All attempts of one call, within one limit; none while the server is known not to answer. */
  const call = async <T>(work: (abort: AbortSignal) => Promise<T>, limitMs: number): Promise<T> => {
    watch.assertThere();
    const end = performance.now() + limitMs;
    const backoff = createBackoff(BETWEEN_MS);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inTime(work, end - performance.now());
      } catch (error) {
        const waitMs = backoff.next();
        if (attempt === ATTEMPTS || !isWorthRepeating(error) || performance.now() + waitMs >= end) {
          if (isStoreAway(error) && statusOf(error) === undefined) watch.suspect(error);
          throw error;
        }
        await sleep(waitMs);
      }
    }
  };
  /** The client, whose commands are answered in time. */
  const bounded = (client: S3Client): Bucket['client'] => ({
    send: ((command: Parameters<S3Client['send']>[0]) =>
      call((abortSignal) => client.send(command, { abortSignal }), leftOf(answerMs))) as S3Client['send'],
  });
  const use = async <T>(work: (sdk: Sdk, client: Bucket['client'], unbounded: S3Client) => Promise<T>): Promise<T> => {
    const { sdk, client } = await loaded();
    try {
      return await work(sdk, bounded(client), client);
    } catch (error) {
      if (isMissing(error)) throw new FileMissing('there is no such object');
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
    const { sdk, client } = await loaded();
    try {
      yield* formerVersions({ sdk, client: bounded(client), bucket });
    } catch (error) {
      throw away(error);
    }
  }
  /** A stream can be sent once: each attempt reads the file anew. Without progress for too long, it is given up. */
  const send = async (sdk: Sdk, client: S3Client, key: string, path: string, type: string): Promise<void> => {
    const { size } = await stat(path);
    const attempt = async (abort: AbortSignal): Promise<void> => {
      const { signal, end: stop } = linkSignals(abort);
      const silence = setTimeout(stop, answerMs);
      async function* bytes() {
        for await (const chunk of createReadStream(path)) {
          silence.refresh();
          yield chunk;
        }
      }
      const Body = Readable.from(bytes(), { objectMode: false });
      const put = new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body, ContentLength: size, ContentType: type });
      try {
        await client.send(put, { abortSignal: signal });
      } catch (error) {
        throw signal.aborted ? new TimedOut(`${NAME} does not take a file`) : error;
      } finally {
        clearTimeout(silence);
        Body.destroy();
        stop();
      }
    };
    await call(attempt, leftOf(answerMs + (size / SLOWEST_BYTES_PER_S) * 1_000));
  };
  return {
    put: (key, path, type) => use((sdk, _, client) => send(sdk, client, key, path, type)),
    get: (key, range) =>
      use(async (sdk, client) => {
        const Range = range && `bytes=${range.start}-${range.end}`;
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, Range }));
        return Readable.from(withoutPauses(Body as Readable, PAUSES * answerMs), { objectMode: false });
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
    close: async () => {
      await watch.stop();
      if (loading) (await loading).client.destroy();
    },
  };
};

const unlessMissing = (error: unknown): { DeleteMarker?: boolean; VersionId?: string } => {
  if (isMissing(error)) return {};
  throw error;
};
