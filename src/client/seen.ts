/** Reports the route, status and duration of each finished call, but never the content. */
import type { Http } from './exchange.ts';
import { CallFailure } from './failure.ts';

export interface SeenCall {
  readonly method: string;
  /** The path with `:id` in place of each id. */
  readonly route: string;
  readonly status: number | null;
  readonly outcome: 'answered' | 'not-sent' | 'unknown';
  readonly seconds: number;
  readonly trace: string | null;
}

export interface Onlooker {
  trace(): string;
  call(call: SeenCall): void;
}

/** The fixed words in the interface's paths. Any other part of a path counts as an id. */
const words = new Set(
  'token tokens user users kyc-documents enable disable profile momo default merchants payments document documents utils countries banks SouthAfrica Nigeria Kenya'.split(
    ' ',
  ),
);

const routeOf = (path: string) => path.replaceAll(/[^/]+/g, (part) => (words.has(part) ? part : ':id'));

/** `traced` adds a header `traceparent` to each call. Set `traced` only for a service on this machine. */
export function seenBy(http: Http, onlooker: Onlooker, traced: boolean): Http {
  return {
    ...http,
    async send(request) {
      const began = performance.now();
      const trace = traced ? onlooker.trace() : null;
      const tell = (status: number | null, outcome: SeenCall['outcome']) =>
        onlooker.call({
          method: request.method,
          route: routeOf(request.path),
          status,
          outcome,
          seconds: (performance.now() - began) / 1000,
          trace,
        });
      try {
        const answer = await http.send(trace === null ? request : { ...request, trace });
        tell(answer.status, 'answered');
        return answer;
      } catch (error) {
        tell(null, error instanceof CallFailure && error.outcome === 'not-sent' ? 'not-sent' : 'unknown');
        throw error;
      }
    },
  };
}
