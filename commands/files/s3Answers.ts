/**
 * Who answered in place of the S3 server. The client takes any 2xx for success, so that the page of a proxy would be a file
 * that was stored, or the content of one; and any 403 or 404 for a refusal.
 */
import type { S3Client } from '@aws-sdk/client-s3';
import { ForeignAnswer } from '../../infra/outside/answers.ts';

interface RawAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What was deleted. Nobody answers a page with it. */
const NO_CONTENT = 204;

/**
 * "Common response headers" (https://docs.aws.amazon.com/AmazonS3/latest/API/RESTCommonResponseHeaders.html): a request id
 * in `x-amz-…`, which compatible servers send, too. Otherwise errors and lists are XML, and objects have an `etag`.
 */
const isOfServer = ({ statusCode, headers }: RawAnswer): boolean => {
  if (statusCode === NO_CONTENT) return true;
  const type = headers['content-type'] ?? '';
  if (Object.keys(headers).some((name) => name.startsWith('x-amz-'))) return true;
  return /^(application|text)\/xml\b/i.test(type) || (headers.etag !== undefined && !/html|json/i.test(type));
};

/** Has every answer that the server did not write count as none. */
export const onlyFromServer = (client: S3Client): void => {
  client.middlewareStack.add(
    (next) => async (input) => {
      const result = await next(input);
      const answer = result.response as RawAnswer;
      if (isOfServer(answer)) return result;
      (result.response as { body?: { destroy?: () => void } }).body?.destroy?.();
      throw new ForeignAnswer(answer.statusCode);
    },
    { step: 'deserialize', priority: 'low', name: 'onlyFromServer' },
  );
};
