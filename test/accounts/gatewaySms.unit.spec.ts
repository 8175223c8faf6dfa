import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createGatewaySms } from '../../commands/accounts/gatewaySms.ts';

it('passes a message to the gateway, and throws when the gateway refuses it', async () => {
  const seen: unknown[] = [];
  let [status, reply] = [202, ''];
  const gateway = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push([request.method, request.headers.authorization, JSON.parse(body)]);
      response.writeHead(status, { 'content-type': 'application/json' }).end(reply);
    });
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  try {
    const { port } = gateway.address() as AddressInfo;
    const sms = createGatewaySms(`http://127.0.0.1:${port}/send`, 'token');
    await sms.send('+79990000001', 'Your code: 042137.');
    expect(seen).toEqual([['POST', 'Bearer token', { to: '+79990000001', text: 'Your code: 042137.' }]]);
    status = 500;
    await expect(sms.send('+79990000001', 'x')).rejects.toMatchObject({
      message: 'the SMS gateway answered 500',
      isFinal: false,
    });
    status = 422;
    await expect(sms.send('+79990000001', 'x')).rejects.toMatchObject({ isFinal: true });
    reply = '{"error":"landline"}';
    await expect(sms.send('+79990000001', 'x')).rejects.toMatchObject({ isFinal: true });
    [status, reply] = [200, '{"id":17}'];
    await sms.send('+79990000001', 'x');
    reply = '{}';
    await expect(sms.send('+79990000001', 'x')).rejects.toMatchObject({ isFinal: false });
  } finally {
    gateway.close();
  }
});

it('says why the gateway cannot be asked', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const sms = createGatewaySms(`http://127.0.0.1:${port}/send`, 'token');
  await expect(sms.send('+79990000001', 'x')).rejects.toThrow(
    `the SMS gateway cannot be asked: nobody listens there (ECONNREFUSED 127.0.0.1:${port})`,
  );
});
