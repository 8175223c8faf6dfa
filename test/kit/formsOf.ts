/** The forms in which a text may be hidden somewhere: in plain, escaped as JSON, in base64, in hexadecimal. */

/** What base64 makes of a text wherever it begins: the characters that do not depend on what stands around it. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    return whole.slice(offset === 0 ? 0 : 4);
  });

export const formsOf = (text: string): string[] => {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [...new Set([text, json, ascii, ...inBase64(text), Buffer.from(text).toString('hex')])];
};
