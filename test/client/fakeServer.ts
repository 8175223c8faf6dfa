/** A `fetch` that answers from a list and records what it was asked. */

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

type Answer = Response | Error | ((asked: Asked, signal: AbortSignal) => Response | Promise<Response>);

export const reply = (status: number, body?: unknown, headers: Record<string, string> = {}): Response =>
  body === undefined
    ? new Response(null, { status, headers })
    : new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  reply(
    status,
    { type: `/errors/${code}`, title: code, status, code, detail: `It is ${code}.`, request_id: 'r' },
    headers,
  );

export const fakeServer = (...answers: Answer[]) => {
  const asked: Asked[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = 'GET', body } = init;
    const request = {
      method,
      url,
      headers: new Headers(init.headers),
      body: body instanceof FormData ? body : body ? JSON.parse(String(body)) : undefined,
    };
    asked.push(request);
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`nothing more was expected: ${method} ${url}`);
    if (answer instanceof Error) throw answer;
    return answer instanceof Response ? answer : answer(request, init.signal as AbortSignal);
  };
  return { asked, fetch: fetch as typeof globalThis.fetch };
};
