/** A recording in which nobody speaks: Ogg with Opus, as Egress writes it. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileStore } from '../../../commands/files/fileStore.ts';

/** 20 ms of silence (RFC 6716: CELT, full band, one frame). */
const PACKET = Uint8Array.from([0xf8, 0xff, 0xfe]);
const PACKET_S = 0.02;
const RATE = 48_000;
/** Longer ones are as long as this. */
const LONGEST_S = 60;

/** The identification header of Opus in Ogg (RFC 7845, 5.1): one channel, nothing to skip, no gain. */
const opusHead = (): Buffer => {
  const head = Buffer.alloc(19);
  head.write('OpusHead');
  head.writeUInt8(1, 8);
  head.writeUInt8(1, 9);
  head.writeUInt32LE(RATE, 12);
  return head;
};

const write = async (file: string, seconds: number): Promise<void> => {
  const { EncodedAudioPacketSource, EncodedPacket, FilePathTarget, OggOutputFormat, Output } = await import(
    'mediabunny'
  );
  const output = new Output({ format: new OggOutputFormat(), target: new FilePathTarget(file) });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = { codec: 'opus', sampleRate: RATE, numberOfChannels: 1, description: opusHead() };
  for (let at = 0; at < Math.min(seconds, LONGEST_S); at += PACKET_S)
    await source.add(new EncodedPacket(PACKET, 'key', at, PACKET_S), { decoderConfig });
  await output.finalize();
};

/** Stores a silent recording. @returns its size in bytes */
export const storeSilence = async (store: FileStore, key: string, seconds: number): Promise<number> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'silence-'));
  const file = path.join(folder, 'recording.ogg');
  try {
    await write(file, seconds);
    await store.put(key, file, 'audio/ogg');
    return (await stat(file)).size;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
