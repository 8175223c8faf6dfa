/** All that a state says as JSON, whatever the order of its maps and lists of texts. */
export const withoutOrder = (state: unknown): unknown =>
  JSON.parse(
    JSON.stringify(state, (_, value: unknown) => {
      if (value instanceof Map) return Object.fromEntries(value);
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.toSorted() : value;
    }),
  );
