/** Calls of LiveKit's API: Twirp, with JSON of protocol buffers. */

export class TwirpFault extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type TwirpBody = Readonly<Record<string, unknown>>;

/** Both spellings of a field are valid. */
const of = (body: TwirpBody, snake: string): unknown =>
  body[snake] ?? body[snake.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];

export const textOf = (body: TwirpBody, snake: string): string => String(of(body, snake) ?? '');
export const listOf = (body: TwirpBody, snake: string): unknown[] => (of(body, snake) as unknown[] | undefined) ?? [];
export const objectOf = (body: TwirpBody, snake: string): TwirpBody => (of(body, snake) as TwirpBody | undefined) ?? {};
