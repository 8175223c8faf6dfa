/** A track as a GPX 1.1 document (topografix.com/GPX/1/1), made page by page. */
import { pointsAfter, type StoredPoint, type TrackKey } from '../../commands/tracking/points.ts';
import { msBetween } from '../../domain/core/instants.ts';
import { PAUSE_MS } from '../../domain/tracking/stretches.ts';
import type { Queryable } from '../../infra/postgres.ts';

const PAGE = 2_000;

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Resort booking platform" xmlns="http://www.topografix.com/GPX/1/1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
`;

/** Numbers of XML Schema decimals have no exponent. */
const decimal = (value: number, digits: number): string => String(Number(value.toFixed(digits)));
const pointText = ({ lat, lon, alt, t }: StoredPoint): string => {
  const elevation = alt === null ? '' : `<ele>${decimal(alt, 1)}</ele>`;
  return `<trkpt lat="${lat.toFixed(7)}" lon="${lon.toFixed(7)}">${elevation}<time>${t}</time></trkpt>\n`;
};

/** Nothing in it is text of a person, so that nothing needs to be escaped. After a pause a segment begins. */
export async function* gpx(db: Queryable, key: TrackKey): AsyncGenerator<string> {
  yield `${HEAD}<trk><name>${key.day}</name>\n`;
  let last: StoredPoint | undefined;
  for (let page: StoredPoint[] = [], after = -1; ; after = last?.seq ?? after) {
    page = await pointsAfter(db, key, { after, limit: PAGE });
    let text = '';
    for (const point of page) {
      const isPause = last && Math.abs(msBetween(last.t, point.t)) > PAUSE_MS;
      if (!last) text += '<trkseg>\n';
      else if (isPause) text += '</trkseg>\n<trkseg>\n';
      text += pointText(point);
      last = point;
    }
    yield text;
    if (page.length < PAGE) break;
  }
  yield `${last ? '</trkseg>\n' : ''}</trk></gpx>\n`;
}
