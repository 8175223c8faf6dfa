/**
 * Erasure, proved by search. A guest and sellers of every kind leave a mark in every field of every operation by which
 * something is written, by them or about them. Their exports show each mark that the log has of theirs. Once they are erased, no mark is found: in no table of any schema, in no
 * file, in no log, in no metric, and in no reply to anybody.
 */
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes } from '../../api/modules.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool } from '../../infra/postgres.ts';
import { caller } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { shownBy } from './everyRead.ts';
import { freeFields } from './filledBody.ts';
import { BILLED } from './filledListings.ts';
import { fillWorld } from './filledWorld.ts';
import { createMarks } from './marks.ts';
import { type Cast, createCast } from './people.ts';
import { auditsOf, markedFiles, markedInLog, markedTables, readsOf, vacuum } from './search.ts';
import { keptNowhere, unfilled } from './unfilled.ts';
import { createWriter } from './writer.ts';

const world = sharedWorld();
const { dataDir, runtime } = world;
const log = createLogger({ level: 'silent' });
const pool = createPool(runtime.databaseUrl, { max: 4, applicationName: 'spec', log });
afterAll(() => pool.end());

const marks = createMarks();
const writer = createWriter(caller(runtime.api), marks);
/** Auditors see nothing personal without one. */
const reason = { 'x-reason': 'a search for what is left' };
const began = Date.now();
let cast: Cast;
beforeAll(async () => {
  cast = await createCast(writer, world, pool);
  await fillWorld(writer, cast);
});

it('every operation that takes a text or a place is called, or it is said why not', () => {
  const free = routes
    .filter(({ method, spec: { body, form } }) => method !== 'GET' && (form || (body && freeFields(body).length > 0)))
    .map(({ key }) => key);
  expect(free.filter((key) => !writer.written.has(key) && !(key in unfilled))).toEqual([]);
  expect(Object.keys(unfilled).filter((key) => writer.written.has(key) || !free.includes(key))).toEqual([]);
});

it('the search finds each mark while the people are there', async () => {
  await pool.query('analyze');
  const auditor = { auditor: { token: cast.admin, headers: reason } };
  await until(async () => {
    const found = [
      ...(await markedTables(pool, marks)),
      ...(await shownBy(writer.call, auditor, await auditsOf(pool, writer), marks.foundIn)),
    ];
    const missing = marks.places.filter(
      (place) => !keptNowhere.some(([each]) => each.test(place)) && !found.some((one) => one.endsWith(`: ${place}`)),
    );
    return missing.length === 0;
  });
  expect(await markedFiles(path.join(dataDir, 'files'), marks, began)).not.toEqual([]);
});

it('the export of each of them has whatever the log has of theirs', async () => {
  const admin = { token: cast.admin, headers: reason };
  const inLog = await markedInLog(writer, admin, await auditsOf(pool, writer));
  for (const { id, token } of [cast.guest, cast.seller, ...Object.values(cast.sellers)]) {
    const held = [...(inLog.get(id) ?? [])];
    expect(held).not.toEqual([]);
    await until(async () => {
      const { status, body } = await writer.call('GET /api/v1/me/export', { token });
      expect(status, JSON.stringify(body)).toBe(200);
      const text = JSON.stringify(body);
      return held.every((one) => text.includes(one));
    });
  }
});

it('finds no mark once they are erased', async () => {
  for (const { token } of [cast.guest, cast.seller, ...Object.values(cast.sellers)]) {
    const gone = await writer.call('DELETE /api/v1/me?settle=cancel', { token });
    expect(gone.body, JSON.stringify(gone.body)).toMatchObject({ status: 'erased' });
    const certificate = await until(async () => {
      const { body } = await writer.call(`GET /api/v1/erasures/${gone.body.certificate_id}`);
      return body.status === 'complete' && body;
    });
    const key = { holder: 'key of the texts of listings in the log', outcome: 'key_destroyed', count: 1 };
    if (token === cast.guest.token) expect(certificate.parts).not.toContainEqual(key);
    else expect(certificate.parts).toContainEqual(key);
  }
  expect(await markedTables(pool, marks)).toEqual([]);
  await vacuum(pool);
  expect(await markedFiles(dataDir, marks, began)).toEqual([]);
  const { admin, hotelier, staying } = cast;
  const readers = {
    admin: { token: admin, headers: reason },
    hotelier: { token: hotelier },
    staying: { token: staying.token },
  };
  const others = { nobody: {}, partner: { apiKey: world.demo.partner_key } };
  const reads = [...readsOf(writer), ...(await auditsOf(pool, writer))];
  expect(await shownBy(writer.call, { ...readers, ...others }, reads, marks.foundIn)).toEqual([]);
  const metrics = await fetch(runtime.metrics);
  expect(metrics.status).toBe(200);
  expect(marks.foundIn(await metrics.text())).toEqual([]);

  // The bill of a booking names what was sold. It is shown to the guest and to admins; the seller is gone.
  const named = (text: string) => (text.includes(BILLED) ? ['the bill'] : []);
  const shown = await shownBy(writer.call, { ...readers, ...others }, reads, named);
  const places = shown.map((one) => one.replace(/ GET \/api\/v1\/|[0-9a-f]{8}-[0-9a-f-]{27}|\?.*?(?=:)/g, ''));
  const whoseBill = ['admin:audit/streams/', 'admin:bookings/', 'staying:bookings/', 'staying:me/export'];
  expect([...new Set(places)].filter((at) => !whoseBill.some((one) => at.startsWith(one)))).toEqual([]);

  // What somebody wrote reads `[erased]` then. What was sold has a title in words.
  const untitled = (text: string) => (text.includes(`"title":"${ERASED}"`) ? ['no title'] : []);
  const ofSold = reads.filter((read) => /\/(bookings|trip-booking|purchases|favorites|notifications)\b/.test(read));
  expect(ofSold.length).toBeGreaterThan(3);
  expect(await shownBy(writer.call, { ...readers, ...others }, ofSold, untitled)).toEqual([]);
});
