/** Why the bytes of an upload are refused. The detail is for the person who uploads. */
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
export const inMiB = (bytes: number): string => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
