// Reads its first body when no file can be opened any more, and prints it.
import { openSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { inputReader, loadBodyReader } from '../../dist/api/http/input.js';

const read = inputReader({ spec: { body: Type.Object({ place: Type.String() }) }, access: 'public' });
if (process.argv[2] === 'loaded') await loadBodyReader();
try {
  for (;;) openSync('/dev/null');
} catch (error) {
  if (error.code !== 'EMFILE') throw error;
}
const req = Object.assign(Readable.from([Buffer.from('{"place":"lift 3"}')]), { headers: {}, socket: { bytesRead: 0 } });
const ctx = { method: 'POST', req, request: { length: 18, charset: '', is: () => 'json' }, is: () => 'json', querystring: '', query: {}, get: () => '' };
const outcome = await read(ctx, {}).then(
  ({ body }) => body,
  ({ code }) => ({ code }),
);
process.stdout.write(JSON.stringify(outcome));
