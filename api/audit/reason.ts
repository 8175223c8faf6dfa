/** Why somebody must see what is personal: the header `X-Reason`. */
import { MAX_REASON, reasonIn } from '../../domain/audit/auditLog.ts';
import { isStorable } from '../../domain/core/storable.ts';
import { typedLine } from '../../infra/typedText.ts';
import { refuseHeader } from '../http/errors.ts';
import type { RequestFacts } from '../http/route.ts';

const REASON = 'x-reason';

/** For the `headers` of a route. */
export const reasonHeader = {
  'X-Reason': `Why you must see what is personal, in 1 to ${MAX_REASON} characters: UTF-8, percent-encoded where a client can only send ASCII. It is recorded and shown to the people concerned. Without it, what is personal reads \`[hidden]\`.`,
} as const;

/** Headers arrive as Latin-1. Browsers can send no other characters, so that they encode them. */
const decoded = (value: string): string => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
    return decodeURIComponent(text);
  } catch {
    return value;
  }
};

/** undefined: the caller gives none. @throws HttpError `validation_failed` */
export const reasonOf = ({ headers }: Pick<RequestFacts, 'headers'>): string | undefined => {
  const value = headers[REASON];
  if (value === undefined) return undefined;
  const given = decoded(String(value));
  const text = typedLine(given);
  const reason = isStorable(given) ? reasonIn(text) : undefined;
  if (reason !== undefined) return reason;
  const detail = `X-Reason must say why in words, in 1 to ${MAX_REASON} characters.`;
  return refuseHeader(REASON, text.length > MAX_REASON ? 'maxLength' : 'minLength', detail);
};
