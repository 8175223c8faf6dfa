/** The store of files, made from the settings. */
import path from 'node:path';
import type { Logger } from '../../infra/log.ts';
import { signLinksWith } from '../../infra/signedLinks.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { FilePorts } from './deps.ts';
import { createDiskStore } from './diskStore.ts';
import type { FileStore } from './fileStore.ts';
import { createFileReader } from './inspect.ts';
import { createS3Store } from './s3Store.ts';
import type { fileSettings } from './settings.ts';

type Config = ModuleConfig<typeof fileSettings>;

/** Where files are without a bucket. */
export const filesDirOf = (config: Pick<Config, 'DATA_DIR'>): string => path.join(config.DATA_DIR, 'files');

/** The store of the settings. */
export const fileStoreOf = (config: Config, log: Logger): FileStore => {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = config;
  if (bucket === undefined) return createDiskStore(filesDirOf(config));
  return createS3Store({
    bucket,
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    credentials: id !== undefined && secret !== undefined ? { accessKeyId: id, secretAccessKey: secret } : undefined,
    pathStyle: config.S3_PATH_STYLE,
    log,
  });
};

/** Where uploads are put together. */
export const incomingDirOf = (config: Pick<Config, 'DATA_DIR'>): string => path.join(config.DATA_DIR, 'incoming');

/** Also gives this process the key of the links to files. */
export const connectFiles = (config: Config, { vault, log }: CoreDeps): FilePorts => {
  signLinksWith({ key: vault.fingerprint('key', 'links to files'), publicUrl: config.PUBLIC_URL });
  return {
    fileStore: fileStoreOf(config, log),
    fileReader: createFileReader(log),
    settings: { incomingDir: incomingDirOf(config) },
  };
};
