/** Lets somebody look on: each call is told when it has ended, by what it asked for and never by what was in it. */
import type { Http } from './exchange.ts';
import { CallFailure } from './failure.ts';

export interface SeenCall {
  readonly method: string;
  /** As the interface writes it: an id in it is `:id`. */
  readonly route: string;
  /** null where no whole answer came. */
  readonly status: number | null;
  /** Whether the service may have carried it out, where no whole answer came. */
  readonly outcome: 'answered' | 'not-sent' | 'unknown';
  readonly seconds: number;
  /** Of the call, as the header `traceparent` has it; null where the call bore none. */
  readonly trace: string | null;
}

export interface Onlooker {
  /** What the next call bears as its `traceparent`. */
  trace(): string;
  call(call: SeenCall): void;
}

/** What stands for itself in a path of the interface; the rest are ids, of which there is no end. */
const words = new Set(
  'token tokens user users kyc-documents enable disable profile momo default merchants payments document documents utils countries banks SouthAfrica Nigeria Kenya'.split(
    ' ',
  ),
);

const routeOf = (path: string) => path.replaceAll(/[^/]+/g, (part) => (words.has(part) ? part : ':id'));

/** `traced`: whether calls bear their trace, which is nothing for a service that is not ours. */
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
