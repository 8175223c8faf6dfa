/** Many small questions as one: what is asked within one turn of the event loop is asked together. */

interface Waiting<K, V> {
  readonly key: K;
  readonly resolve: (value: V) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A function that answers one key, by `load` for all keys of the same turn. Nothing is kept: each call gets an answer that
 * was asked for after it. A failure is that of all calls of the turn.
 * @param load answers in the order of the keys
 * @param most keys at once; more are asked beside each other
 * @param atOnce how often `load` runs at the same time. What is asked meanwhile waits, and is asked together then
 */
export const gather = <K, V>(
  load: (keys: readonly K[]) => Promise<readonly V[]>,
  most: number,
  atOnce = Number.POSITIVE_INFINITY,
): ((key: K) => Promise<V>) => {
  const waiting: Waiting<K, V>[] = [];
  let running = 0;

  const ask = async (calls: readonly Waiting<K, V>[]): Promise<void> => {
    running += 1;
    try {
      const values = await load(calls.map(({ key }) => key));
      for (const [index, { resolve }] of calls.entries()) resolve(values[index] as V);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    } finally {
      running -= 1;
      askAll();
    }
  };
  const askAll = (): void => {
    while (waiting.length > 0 && running < atOnce) void ask(waiting.splice(0, most));
  };

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(askAll);
      waiting.push({ key, resolve, reject });
    });
};

/** The same for questions to one of several, such as a pool or a transaction: those to each are asked together. */
export const gatherBy = <Of extends object, K, V>(
  load: (of: Of, keys: readonly K[]) => Promise<readonly V[]>,
  most: number,
  atOnce?: number,
): ((of: Of, key: K) => Promise<V>) => {
  const asked = new WeakMap<Of, (key: K) => Promise<V>>();
  return (of, key) => {
    const ask = asked.get(of) ?? gather((keys: readonly K[]) => load(of, keys), most, atOnce);
    asked.set(of, ask);
    return ask(key);
  };
};
