/** Webcams, and where their pictures may be fetched from. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPictureSource } from '../../commands/resort/pictureSource.ts';
import { type WebcamDetails, webcam } from '../../domain/resort/webcam.ts';
import { exchange } from '../../infra/outside/exchange.ts';
import { publicWebcam, type WebcamRow, webcams } from '../../projections/resort/webcams.ts';
import { specification } from '../kit/given.ts';
import { happened, projection } from '../kit/projected.ts';
import { id } from './resortFixtures.ts';

const NOW = '2027-01-13T07:00:00.000Z';
const details: WebcamDetails = {
  name: 'Peak',
  description: '',
  snapshotUrl: 'https://cams.example/peak.jpg',
  longitude: 40.3121,
  latitude: 43.6274,
};
const added = { type: 'WebcamAdded', data: details } as const;
const removed = { type: 'WebcamRemoved', data: {} } as const;
const renamed = { ...details, name: 'Summit' };

describe('a webcam', () => {
  it('is added, changed and removed, each once', () => {
    const given = specification(webcam);
    given([]).when({ type: 'AddWebcam', details }).thenOnce([added]);
    given([added])
      .when({ type: 'ChangeWebcam', details: renamed })
      .thenOnce([{ type: 'WebcamChanged', data: renamed }]);
    given([added]).when({ type: 'RemoveWebcam' }).thenOnce([removed]);
    given([added, removed]).when({ type: 'ChangeWebcam', details }).then('not_found');
    given([]).when({ type: 'RemoveWebcam' }).then('not_found');
  });

  it('is shown without the address of its camera', () => {
    const rows = projection(webcams);
    const event = (one: object) => happened('webcam', id(1), one as typeof added, NOW);
    const [row] = rows([event(added), event({ type: 'WebcamChanged', data: renamed })]) as [WebcamRow];
    expect(publicWebcam(row)).toMatchObject({ name: 'Summit', snapshot_path: `/api/v1/webcams/${id(1)}/snapshot` });
    expect(JSON.stringify(publicWebcam(row))).not.toContain('cams.example');
    expect(rows([event(added), event(removed)])).toEqual([]);
  });
});

describe('the source of pictures', () => {
  let picture: Buffer;
  let webp: Buffer;
  let png: Buffer;
  const server = createServer((request, response) => {
    switch (request.url) {
      case '/picture.jpg':
        return void response.setHeader('content-type', 'text/html').end(picture);
      case '/picture.webp':
        return void response.end(webp);
      case '/picture.png':
        return void response.end(png);
      case '/page.jpg':
        return void response.setHeader('content-type', 'image/jpeg').end('<html>');
      case '/endless.jpg':
        response.write(picture);
        return void response.end(Buffer.alloc(6 * 1024 * 1024));
      case '/elsewhere.jpg':
        return void response.writeHead(302, { location: '/picture.jpg' }).end();
      default:
        return void response.writeHead(404).end();
    }
  });
  let host = '';
  beforeAll(async () => {
    const white = sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } });
    picture = await white.jpeg().toBuffer();
    webp = await white.clone().webp().toBuffer();
    png = await white.clone().png().toBuffer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const inTest = () => createPictureSource([host], exchange);

  it('knows a picture by its content', async () => {
    expect(await inTest().fetch(`http://${host}/picture.jpg`)).toEqual({ bytes: picture, type: 'image/jpeg' });
    expect(await inTest().fetch(`http://${host}/picture.webp`)).toEqual({ bytes: webp, type: 'image/webp' });
    expect(await inTest().fetch(`http://${host}/picture.png`)).toEqual({ bytes: png, type: 'image/png' });
  });

  it.each([
    ['a page', '/page.jpg', 'no picture'],
    ['too many bytes', '/endless.jpg', 'more than'],
    ['a redirect', '/elsewhere.jpg', '302'],
    ['nothing', '/gone.jpg', '404'],
  ])('refuses %s', async (_, path, why) => {
    await expect(inTest().fetch(`http://${host}${path}`)).rejects.toThrow(why);
  });

  it('connects to allowed hosts only, and to none whose address is not public', async () => {
    await expect(inTest().fetch('https://other.example/picture.jpg')).rejects.toThrow('not allowed');
    await expect(createPictureSource([host]).fetch(`http://${host}/picture.jpg`)).rejects.toThrow('not public');
  });
});
