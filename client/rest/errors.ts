/** What a call can fail with. */
import type { Problem } from '../generated/types.ts';

/** The server answered with an error. `detail` says what is wrong and what to do. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;
  /** Seconds to wait before the next try, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return this.problem.status;
  }

  /** Stable: `price_changed`, `not_found`, … */
  get code(): string {
    return this.problem.code;
  }
}

/** Milliseconds that the server asks to wait before the next try. */
export const askedMs = (error: unknown): number => (error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0);

/** No answer: the network failed, or the time was over. A write may have been done or not. `cause` has the reason. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(cause: unknown) {
    super('The server did not answer. Check the connection and try again.', { cause });
  }
}

/** What a proxy in front answers is no problem document. */
const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'status' in body;

/** The longest wait that an answer can ask for, in seconds: a week. */
const LONGEST_WAIT_S = 7 * 86_400;

export const errorOf = async (response: Response): Promise<ApiError> => {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const problem: Problem = isProblem(body)
    ? body
    : {
        type: 'about:blank',
        title: response.statusText,
        status,
        code: `http_${status}`,
        request_id: response.headers.get('x-request-id') ?? '',
        detail: `The server answered ${status}.`,
      };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(problem, retryAfter >= 0 ? Math.min(retryAfter, LONGEST_WAIT_S) : undefined);
};
