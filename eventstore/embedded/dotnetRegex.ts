/**
 * Regular expressions as .NET reads them, which EventStoreDB runs on. What means something else in JavaScript is
 * translated; what cannot be is refused, so that no filter selects other events here than on a server.
 */

const WORD = '\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}';
const SPACE = '\\f\\n\\r\\t\\v\\x85\\p{Z}';
const IN_WORD = `[${WORD}]`;

/** .NET knows categories and blocks, JavaScript categories and scripts: only categories are common to both. */
const CATEGORY = /^\\[pP]\{(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfson]?)\}/;

const OUTSIDE: Readonly<Record<string, string>> = {
  '.': '[^\\n]',
  $: '(?=\\n?(?![^]))',
  '\\d': '\\p{Nd}',
  '\\D': '\\P{Nd}',
  '\\w': IN_WORD,
  '\\W': `[^${WORD}]`,
  '\\s': `[${SPACE}]`,
  '\\S': `[^${SPACE}]`,
  '\\b': `(?:(?<=${IN_WORD})(?!${IN_WORD})|(?<!${IN_WORD})(?=${IN_WORD}))`,
  '\\B': `(?:(?<=${IN_WORD})(?=${IN_WORD})|(?<!${IN_WORD})(?!${IN_WORD}))`,
};
const INSIDE: Readonly<Record<string, string>> = {
  '\\d': '\\p{Nd}',
  '\\D': '\\P{Nd}',
  '\\w': WORD,
  '\\s': SPACE,
};
/** Escapes with the same meaning in both. Others are refused by JavaScript's strict mode, `u`. */
const REFUSED = /^(?:\\[WSB]|\\u\{)/;

/** @throws SyntaxError for an expression that cannot mean the same */
export const toJavaScript = (source: string): RegExp => {
  if (/\[\^?\]/.test(source)) throw new SyntaxError('an empty set [] or [^] is not one in .NET');
  let translated = '';
  let inSet = false;
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const token = nextToken(rest);
    if (inSet && (rest.startsWith('-[') || REFUSED.test(rest)))
      throw new SyntaxError(`'${rest.slice(0, 2)}' inside a set`);
    if (rest.startsWith('\\u{')) throw new SyntaxError("'\\u{' is not known to .NET");
    if (token === '[' && !inSet) inSet = true;
    else if (token === ']') inSet = false;
    translated += (inSet ? INSIDE : OUTSIDE)[token] ?? token;
    at += token.length;
  }
  return new RegExp(translated, 'u');
};

/** One escape, or one character. */
const nextToken = (rest: string): string => {
  if (!rest.startsWith('\\')) return rest.slice(0, 1);
  if (!/^\\[pP]/.test(rest)) return rest.slice(0, 2);
  const [category] = CATEGORY.exec(rest) ?? [];
  if (category === undefined) throw new SyntaxError(`'${rest.slice(0, 2)}' needs a general category, such as \\p{L}`);
  return category;
};
