/** An invented mountain as maps have it: ends that miss each other by some metres, altitudes that are inexact, runs in pieces. */

const METRES_A_DEGREE = 111_195;

/** The same for the same numbers, in the form of OpenSkiMap. */
export const drawnMountain = (lifts: number, runs: number): { readonly features: object[] } => {
  let state = 20_261;
  const below = (n: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648) * n;
  };
  const pick = <T>(of: readonly T[]): T => of[Math.floor(below(of.length))] as T;
  const around = (n: number): number => below(2 * n) - n;
  /** @param x,y metres from the village: the mountain rises with y, in three ridges */
  const place = (x: number, y: number, inexact = 40): number[] => {
    const [east, north] = [x + around(inexact), y + around(inexact)];
    const altitude = 1_000 + 0.28 * north + 120 * Math.sin(east / 900) + around(4);
    return [10 + east / METRES_A_DEGREE / 0.7, 46 + north / METRES_A_DEGREE, Math.round(altitude)];
  };
  const geometry = (...coordinates: number[][]) => ({ type: 'LineString', coordinates });
  const feature = (type: string, n: number, line: object, more: object) => ({
    type: 'Feature',
    properties: {
      type,
      id: `${type}-${n}`,
      name: `${type} ${n}`,
      sources: [{ type: 'openstreetmap', id: n }],
      ...more,
    },
    geometry: line,
  });
  const stations = Array.from({ length: lifts }, (_, n) => {
    const [column, row] = [n % 4, Math.floor(n / 4)];
    const x = column * 700 + around(150);
    return { x, from: row * 450, to: row * 450 + 500 + below(500), top: x + around(200) };
  });
  const kinds = ['chair_lift', 'gondola', 't-bar', 'platter', 'cable_car'];
  const uses = [['downhill'], ['downhill'], ['downhill', 'skitour'], ['connection'], null];
  const levels = ['novice', 'easy', 'easy', 'intermediate', 'intermediate', 'advanced', 'expert', null];
  return {
    features: [
      ...stations.map(({ x, from, to, top }, n) =>
        feature('lift', n + 1, geometry(place(x, from), place(top, to)), { liftType: pick(kinds) }),
      ),
      // From the top of a lift to the foot of one, in one to three pieces; some cross over to the next lifts.
      ...Array.from({ length: Math.floor(runs / 2) }, (_, n) => {
        const above = pick(stations);
        const foot = pick(stations.filter(({ from, x }) => from < above.to - 100 && Math.abs(x - above.x) < 900));
        const [middleX, middleY] = [
          (above.top + (foot?.x ?? above.x)) / 2,
          (above.to + (foot?.from ?? above.from)) / 2,
        ];
        const swing = middleX + around(200);
        const end = place(foot?.x ?? above.x, foot?.from ?? above.from);
        const more = () => ({ difficulty: pick(levels), uses: pick(uses) });
        return [
          feature('run', 2 * n + 1, geometry(place(above.top, above.to), place(swing, middleY, 10)), more()),
          feature('run', 2 * n + 2, geometry(place(swing, middleY, 30), end), more()),
        ];
      }).flat(),
    ],
  };
};
