/** FNV-1a, 32 bits, of the UTF-16 units of a text. Its results are stored: they never change. */
export const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n += 1) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  return hash >>> 0;
};
