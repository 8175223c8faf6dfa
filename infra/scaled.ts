/** @returns a limit multiplied by the operator's `factor`, at least 1; 0 when either is 0: no limit */
export const scaled = (limit: number, factor: number): number =>
  limit === 0 || factor === 0 ? 0 : Math.max(1, Math.round(limit * factor));
