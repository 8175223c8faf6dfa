/** Snapshot, then stream: the rows that `follow` shows, whatever happens between the two. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type CallOptions, createClient, parseChannelOffset } from '../../client/index.ts';
import { CHANNEL, fakeHub } from './fakeHub.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

interface Row {
  readonly id: string;
  readonly status: string;
}

const E1 = 'epoch-1';
const settle = () => vi.advanceTimersByTimeAsync(0);
const row = (id: string, status: string): Row => ({ id, status });
const placeOf = (offset: number, { channel = CHANNEL, epoch = E1 } = {}) =>
  `"${channel}";epoch="${epoch}";offset=${offset}`;

/** A snapshot as the server answers it, with its place in the channel unless it has none. */
const answer =
  (rows: readonly Row[], place?: string) =>
  async ({ onResponse }: CallOptions): Promise<{ data: readonly Row[] }> => {
    onResponse?.(new Response(null, place ? { headers: { 'x-channel-offset': place } } : {}));
    return { data: rows };
  };

const broken = new Error('of the app');
const fail = (): never => {
  throw broken;
};

type Read = (options: CallOptions) => Promise<{ data: readonly Row[] }>;
/** Follows with these snapshots, one after the other, behind offset 5. */
const start = async (reads: readonly Read[], more: object = {}) => {
  const hub = fakeHub();
  const client = createClient({ baseUrl: 'https://resort.test', WebSocket: hub.WebSocket, token: () => 'token' });
  const shown: string[] = [];
  const ends: unknown[] = [];
  const errors: unknown[] = [];
  const asked: CallOptions[] = [];
  const left = [...reads];
  const following = client.live.follow(
    CHANNEL as string,
    async (options) => {
      asked.push(options);
      const read = left.shift();
      if (!read) throw new Error('read once too often');
      return read(options) as never;
    },
    {
      entity: 'booking',
      onRows: (rows) => void shown.push(rows.map(({ id, status }) => `${id}:${status}`).join(' ')),
      onEnd: (reason) => void ends.push(reason),
      onError: (error) => void errors.push(error),
      ...more,
    },
  );
  await settle();
  const socket = hub.newest();
  socket.ready();
  socket.subscribed(E1, 5);
  await settle();
  const change = (offset: number, data: Row, type = 'booking.updated') => socket.change(E1, offset, { type, data });
  return { hub, socket, following, shown, ends, errors, asked, change };
};

describe('the rows', () => {
  it('are those of the snapshot, then those of the changes behind it', async () => {
    const { shown, change, asked, following } = await start([answer([row('a', 'new'), row('b', 'new')], placeOf(6))]);
    expect(asked[0]?.headers).toEqual({ prefer: 'channel-offset' });
    change(6, row('a', 'older than the snapshot'));
    change(7, row('b', 'paid'));
    change(8, row('c', 'new'), 'booking.created');
    change(9, row('a', 'gone'), 'booking.removed');
    change(10, row('p', 'of another kind'), 'payment.updated');
    await settle();
    expect(shown).toEqual(['a:new b:new', 'a:new b:paid', 'a:new b:paid c:new', 'b:paid c:new']);
    expect(following.rows).toEqual([row('b', 'paid'), row('c', 'new')]);
  });

  it('include the changes that came while the snapshot was read', async () => {
    let release: () => void = () => undefined;
    const slow: Read = async (options) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return answer([row('a', 'six')], placeOf(6))(options);
    };
    const { shown, change } = await start([slow]);
    change(6, row('a', 'six'));
    change(7, row('a', 'seven'));
    await settle();
    expect(shown).toEqual([]);
    release();
    await settle();
    expect(shown).toEqual(['a:six', 'a:seven']);
  });

  it.each([
    ['no place', undefined],
    ['a place in another channel', placeOf(900, { channel: 'provider_1' })],
  ])('come out right with a snapshot that has %s: changes are whole rows', async (_, place) => {
    const { shown, change } = await start([answer([row('a', 'six')], place)]);
    change(6, row('a', 'six'));
    change(7, row('a', 'seven'));
    await settle();
    expect(shown.at(-1)).toBe('a:seven');
  });

  it('are read again from a copy of the database that lags', async () => {
    const lagging = answer([row('a', 'old')], placeOf(4));
    const { shown } = await start([lagging, lagging, answer([row('a', 'new')], placeOf(5))]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(shown).toEqual(['a:new']);
  });

  it('are read again when changes were missed for good', async () => {
    const { shown, socket } = await start([
      answer([row('a', 'old'), row('b', 'old')], placeOf(5)),
      answer([row('b', 'new')], placeOf(31, { epoch: 'epoch-2' })),
    ]);
    socket.frame({ type: 'subscribed', channel: CHANNEL, epoch: 'epoch-2', offset: 30, recovered: false });
    await settle();
    expect(shown).toEqual(['a:old b:old']); // all clients read again, each at a moment of its own
    await vi.advanceTimersByTimeAsync(3_000);
    expect(shown).toEqual(['a:old b:old', 'b:new']);
  });

  it('of several pages are applied from the first page on', async () => {
    const pages: Read = async (options) => {
      const first = await answer([row('a', 'old')], placeOf(5))(options);
      const second = await answer([row('b', 'six')], placeOf(6))(options);
      return { data: [...first.data, ...second.data] };
    };
    const { shown, change } = await start([pages]);
    change(6, row('a', 'six'));
    await settle();
    expect(shown.at(-1)).toBe('a:six b:six');
  });

  it('can be a part, with a key of their own', async () => {
    const where = ({ status }: Row) => status === 'paid';
    const { shown, change } = await start([answer([row('a', 'paid'), row('b', 'new')], placeOf(5))], {
      where,
      key: ({ id }: Row) => id.toLowerCase(),
    });
    change(6, row('B', 'paid'));
    change(7, row('A', 'cancelled'));
    await settle();
    expect(shown).toEqual(['a:paid', 'a:paid B:paid', 'B:paid']);
  });
});

it('the rows of one page stay those of the page and newer ones, with the boundary that its snapshot has set', async () => {
  let first = '';
  const page: Read = async (options) => {
    const found = await answer([row('m8', 'new'), row('m9', 'new')], placeOf(5))(options);
    first = found.data[0]?.id ?? '';
    return found;
  };
  const { shown, change } = await start([page], { where: ({ id }: Row) => id >= first });
  change(6, row('m1', 'edited'));
  change(7, row('m8', 'edited'));
  change(8, row('n0', 'new'), 'booking.created');
  await settle();
  expect(shown.at(-1)).toBe('m8:edited m9:new n0:new');
});

describe('a function of the caller that throws', () => {
  it.each([
    ['onRows', { onRows: () => fail() }],
    ['where', { where: () => fail() }],
  ])('(%s) is told to onError, and nothing is read again', async (_, functions) => {
    const { asked, errors } = await start([answer([row('a', 'new')], placeOf(5))], functions);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([asked.length, errors]).toEqual([1, [broken]]);
  });

  it('once gets the rows with the next change', async () => {
    const shown: unknown[] = [];
    const onRows = (rows: readonly Row[]) => (shown.push(rows) === 1 ? fail() : undefined);
    const { errors, change } = await start([answer([row('a', 'new')], placeOf(5))], { onRows });
    change(6, row('a', 'paid'));
    await settle();
    expect([shown.at(-1), errors]).toEqual([[row('a', 'paid')], [broken]]);
  });
});

describe('a snapshot that fails', () => {
  it('is read again while that may help', async () => {
    const failing = async () => Promise.reject(new Error('away'));
    const { shown, errors } = await start([failing, failing, answer([row('a', 'new')], placeOf(5))]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(shown).toEqual(['a:new']);
    expect(errors).toHaveLength(2);
  });

  it('is logged where nothing else is told of it', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    await start([async () => Promise.reject(broken)], { onError: undefined });
    expect(logged).toHaveBeenCalledWith(broken);
    logged.mockRestore();
  });

  it('ends it when the account may not read the rows', async () => {
    const refused = new ApiError({
      type: '',
      title: '',
      status: 403,
      code: 'insufficient_rights',
      detail: 'No.',
      request_id: '',
    });
    const { ends, socket } = await start([() => Promise.reject(refused)]);
    expect(ends).toEqual([refused]);
    expect(socket.closedWith).toBe(1000);
  });

  it('is not waited for after the end', async () => {
    const { following, asked, shown, errors } = await start([() => new Promise(() => undefined)]);
    following.close();
    expect(asked[0]?.signal?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([shown, errors]).toEqual([[], []]);
  });
});

it('a place is one value', () => {
  expect(parseChannelOffset(placeOf(42))).toEqual({ channel: CHANNEL, epoch: E1, offset: 42 });
  expect(parseChannelOffset('')).toBeUndefined();
});
