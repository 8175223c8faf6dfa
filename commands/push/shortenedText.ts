/** The beginning of a text whose JSON has at most a number of bytes; an ellipsis says that something is missing. */
export const shortened = (text: string, bytes: number): string => {
  const size = (part: string): number => Buffer.byteLength(JSON.stringify(part)) - 2;
  if (size(text) <= bytes) return text;
  const kept: string[] = [];
  let left = bytes - size('…');
  // By characters, so that none is cut in two.
  for (const character of text) {
    left -= size(character);
    if (left < 0) break;
    kept.push(character);
  }
  return `${kept.join('').trimEnd()}…`;
};
