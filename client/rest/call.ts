/** How an operation is called. */
export interface Call {
  readonly method: string;
  /** With `{name}` for each path parameter. */
  readonly path: string;
  /** The names of the fields that go into the query. */
  readonly query?: readonly string[];
  /** The other fields are the body, in this form. */
  readonly body?: 'json' | 'form';
  /** Takes an access token. */
  readonly bearer?: true;
  /** Takes the API key of a partner. */
  readonly apiKey?: true;
  /** Takes an `Idempotency-Key`, which makes it safe to repeat. */
  readonly idempotent?: true;
}
