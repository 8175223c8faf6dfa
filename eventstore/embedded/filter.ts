/** Server-side filters of $all: by stream name or event type, with prefixes or a regular expression. */
import { toJavaScript } from './dotnetRegex.ts';
import type { StoredRecord } from './record.ts';
import { InvalidRequest, type ReadFilter } from './requests.ts';

export type Matches = (record: StoredRecord) => boolean;

/** @throws InvalidRequest for an expression that is none, or that only one of JavaScript and .NET understands */
export const compileFilter = (filter: ReadFilter): Matches => {
  const subject = (record: StoredRecord): string => (filter.on === 'stream' ? record.stream : record.type);
  if (filter.regex) {
    const regex = compileRegex(filter.regex);
    return (record) => regex.test(subject(record));
  }
  return (record) => filter.prefixes.some((prefix) => subject(record).startsWith(prefix));
};

const compileRegex = (source: string): RegExp => {
  try {
    return toJavaScript(source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InvalidRequest(
      `the filter is not a regular expression that this node and EventStoreDB (.NET) understand alike: ${error.message}`,
    );
  }
};
