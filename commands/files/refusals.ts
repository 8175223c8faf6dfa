/** Why the bytes of an upload are refused. The detail is for the person who uploads. */
import { rounded } from '../../domain/core/numbers.ts';

export class UploadRefused extends Error {
  override readonly name = 'UploadRefused';
  readonly code: 'unsupported_media_type' | 'too_large';
  constructor(code: UploadRefused['code'], detail: string) {
    super(detail);
    this.code = code;
  }
}

export const unsupported = (detail: string) => new UploadRefused('unsupported_media_type', detail);
export const tooLarge = (detail: string) => new UploadRefused('too_large', detail);

/** `20 MiB`. */
export const inMiB = (bytes: number): string => `${rounded(bytes / 1024 / 1024, 1)} MiB`;
