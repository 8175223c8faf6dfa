// One transport of the hub, in a process that may open few files. Says its port; then its log.
import { fewDescriptorsLeft, watchDescriptors } from '../../dist/infra/descriptors.js';
import { createLogger } from '../../dist/infra/log.js';
import { chooseTransport } from '../../dist/realtime/hub/chooseTransport.js';

const log = createLogger();
watchDescriptors(log);
const start = await chooseTransport(process.argv[2], log);
const { port } = await start({
  host: '127.0.0.1',
  port: 0,
  maxFrameBytes: 1_024,
  maxConnections: 10_000,
  idleSeconds: 60,
  hasRoom: () => !fewDescriptorsLeft(),
  onRequest: async () => ({ status: fewDescriptorsLeft() ? 503 : 200, contentType: 'text/plain', body: '' }),
  onUpgrade: () => ({ status: 404, contentType: 'text/plain', body: '' }),
});
log.info({ port }, 'listening');
