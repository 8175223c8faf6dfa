/** How often a JPEG is gone over: a progressive one has the picture in any number of scans, each over all pixels. */

const MARKER = 0xff;
const [END, SCAN] = [0xd9, 0xda];

/** Markers without a length: restarts within a scan, the start, and stuffed bytes. */
const standsAlone = (code: number): boolean => code <= 0x01 || (code >= 0xd0 && code <= 0xd8);

/** The number of scans of the first picture in `bytes`. Reads each byte once, and decodes nothing. */
export const countScans = (bytes: Buffer): number => {
  let scans = 0;
  for (let at = bytes.indexOf(MARKER); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(MARKER, at)) {
    const code = bytes[at + 1] as number;
    if (code === END) return scans;
    if (code === SCAN) scans += 1;
    if (code === MARKER) at += 1;
    else if (standsAlone(code) || at + 3 >= bytes.length) at += 2;
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return scans;
};
