/** A request that an API refuses: nothing was done. Each API formats the error in its own way. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly parameter: string | undefined;
  constructor(status: number, code: string, description: string, parameter?: string) {
    super(description);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.parameter = parameter;
  }
}
export const invalid = (description: string, parameter?: string): ApiError =>
  new ApiError(400, 'invalid_request', description, parameter);
