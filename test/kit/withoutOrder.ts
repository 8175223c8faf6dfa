/** A state as JSON, with its lists of texts sorted: states that differ only in such an order are the same. */
export const withoutOrder = (state: unknown): unknown =>
  JSON.parse(JSON.stringify(state), (_, value: unknown) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.toSorted() : value,
  );
