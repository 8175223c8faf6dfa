/** Server-side filters of $all: by stream name or event type, with prefixes or a regular expression. */
import type { StoredRecord } from './record.ts';
import { InvalidRequest, type ReadFilter } from './requests.ts';

export type Matches = (record: StoredRecord) => boolean;

/** @throws InvalidRequest for an expression that is none in JavaScript */
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
    return new RegExp(source, 'u');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InvalidRequest(`the filter is not a regular expression: ${error.message}`);
  }
};
