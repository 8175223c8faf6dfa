import { expect, it } from 'vitest';
import { withoutNonsense } from '../../api/http/emergencies.ts';
import { isEmergencyOf } from '../../api/http/places.ts';
import { routes } from '../../api/modules.ts';
import { validator } from '../../infra/validation.ts';

const isEmergency = isEmergencyOf(routes);

it.each([
  '/api/v1/sos/request',
  '/api/v1/sos/request/',
  '/api/v1/calls/sos/request',
  '/api/v1/sos/018f0000-0000-7000-8000-000000000001/positions',
])('%s is answered whatever the load', (path) => expect(isEmergency(path)).toBe(true));

it.each(['/api/v1/sos', '/api/v1/sos/me', '/api/v1/sos/request/more', '/x/api/v1/sos/request', '/api/v1/bookings'])(
  '%s waits its turn',
  (path) => expect(isEmergency(path)).toBe(false),
);

const cleaned = (key: string, sent: unknown): object => {
  const body = routes.find((one) => one.key === key)?.spec.body;
  if (!body) throw new Error(`${key} has no body`);
  return withoutNonsense(sent, validator(body), body);
};

it.each([
  [{ lat: '43.6', lon: 40.2 }, { lon: 40.2 }, ['/body/lat']],
  [{ message: { text: 'help' }, battery: 40 }, { battery: 40 }, ['/body/message']],
  [{ message: 'he\u0000lp \ud800' }, { message: 'help \ufffd' }, []],
  [{ lat: 43.6, accuracy: 1.7e308 }, { lat: 43.6, accuracy: null }, ['/body/accuracy']],
  [{ message: ' [erased] ', battery: 40 }, { message: null, battery: 40 }, ['/body/message']],
  [{ hurry: true, 'a/b~c': { deep: 1 } }, { hurry: true, 'a/b~c': { deep: 1 } }, ['/body/hurry', '/body/a~1b~0c']],
  ['help', {}, ['/body']],
  [[{ lat: 43.6 }], {}, ['/body']],
  [null, {}, ['/body']],
  [undefined, {}, ['/body']],
])('a request for help keeps what makes sense of %j', (sent, body, ignored) => {
  expect(cleaned('POST /api/v1/sos/request', sent)).toEqual({ body, ignored });
});

it('one wrong position does not keep the others back', () => {
  const [good, wrongTime] = [{ lat: 43.6, lon: 40.2 }, '2016-12-31T23:59:60Z'];
  const positions = [{ lat: [], lon: 40.2 }, { ...good, at: wrongTime }, 7, good];
  expect(cleaned('POST /api/v1/sos/:id/positions', { positions, battery: 'low' })).toMatchObject({
    body: { positions: [{ lon: 40.2 }, good, {}, good] },
    ignored: ['/body/positions/0/lat', '/body/positions/1/at', '/body/positions/2', '/body/battery'],
  });
  expect(cleaned('POST /api/v1/sos/:id/positions', 'here')).toEqual({ body: {}, ignored: ['/body'] });
});
