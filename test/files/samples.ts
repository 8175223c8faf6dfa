/** Files to upload, made here by the libraries that read them. */
import {
  AdtsOutputFormat,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  type MetadataTags,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import sharp from 'sharp';

const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
/** In the metadata of pictures and recordings; none of it may be served. */
export const CAMERA = 'Secret Camera';
export const PLACE = '+43.6791+040.2058/';

/** A JPEG of noise, with camera, position and orientation in its metadata. */
export const photo = (width: number, height: number, orientation = 1): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, noise, background: '#000' } })
    .withExif({
      IFD0: { Make: CAMERA },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '43/1 40/1 45/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '40/1 12/1 21/1',
      },
    })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();

/** A picture that one can look through in parts. */
export const cutOut = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.5 } } })
    .png()
    .toBuffer();

/** A GIF whose frames differ. */
export const animation = (side: number, frames: number): Promise<Buffer> => {
  const pixels = Buffer.alloc(side * side * frames * 3);
  for (let frame = 0; frame < frames; frame += 1)
    pixels.fill((frame * 37) % 251, frame * side * side * 3, (frame + 1) * side * side * 3);
  return sharp(pixels, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .gif({ delay: Array(frames).fill(100) })
    .toBuffer();
};

const crc32 = (data: Buffer): number => {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
};
const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A part of a PNG. */
const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([word(data.length), body, word(crc32(body))]);
};

/** The PNG with one more part, behind its header. */
export const pngWith = (png: Buffer, type: string, data: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, 33), chunk(type, data), png.subarray(33)]);

/** A PNG that claims to be this large, and has hardly any bytes. */
export const bomb = (width: number, height: number): Buffer => {
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([word(width), word(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', Buffer.from([0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01])),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** Silence. */
export const wav = (seconds: number, rate = 8_000): Buffer => {
  const samples = Buffer.alloc(seconds * rate, 128);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
};

/** The configuration that decoders of AAC need: LC, 48 kHz, stereo. */
const AAC_LC = new Uint8Array([0x11, 0x90]);
/** And those of Opus in an Ogg: version 1, stereo, 48 kHz. */
const OPUS_HEAD = Buffer.concat([Buffer.from('OpusHead'), Buffer.from([1, 2, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])]);
const PACKET_S = 0.1;

interface Tracks {
  readonly video?: boolean;
  readonly audio?: boolean;
  /** Written while it lasts: the index comes last, or is missing. */
  readonly live?: boolean;
  readonly tags?: MetadataTags;
}

const recorded = async (
  format: OutputFormat,
  seconds: number,
  { video = true, audio = true, tags }: Tracks,
): Promise<Buffer> => {
  const isWebm = format instanceof WebMOutputFormat;
  const isOpus = isWebm || format instanceof OggOutputFormat;
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const picture = new EncodedVideoPacketSource(isWebm ? 'vp8' : 'vp9');
  const sound = new EncodedAudioPacketSource(isOpus ? 'opus' : 'aac');
  if (video) output.addVideoTrack(picture, { frameRate: 10 });
  if (audio) output.addAudioTrack(sound);
  if (tags) output.setMetadataTags(tags);
  await output.start();
  const codec = isWebm ? 'vp8' : 'vp09.00.10.08';
  const ofSound = isOpus ? { codec: 'opus', description: OPUS_HEAD } : { codec: 'mp4a.40.2', description: AAC_LC };
  for (let n = 0; n < seconds / PACKET_S; n += 1) {
    const packet = new EncodedPacket(new Uint8Array(200).fill(n), 'key', n * PACKET_S, PACKET_S);
    if (video) await picture.add(packet, { decoderConfig: { codec, codedWidth: 640, codedHeight: 360 } });
    if (audio) await sound.add(packet, { decoderConfig: { ...ofSound, numberOfChannels: 2, sampleRate: 48_000 } });
  }
  await output.finalize();
  return Buffer.from(target.buffer as ArrayBuffer);
};

export const mp4 = (seconds: number, tracks: Tracks = {}): Promise<Buffer> =>
  recorded(new Mp4OutputFormat({ fastStart: tracks.live ? false : 'in-memory' }), seconds, tracks);
export const webm = (seconds: number, tracks: Tracks = {}): Promise<Buffer> =>
  recorded(new WebMOutputFormat({ appendOnly: tracks.live ?? false }), seconds, tracks);
export const ogg = (seconds: number): Promise<Buffer> => recorded(new OggOutputFormat(), seconds, { video: false });
export const aac = (seconds: number): Promise<Buffer> => recorded(new AdtsOutputFormat(), seconds, { video: false });
