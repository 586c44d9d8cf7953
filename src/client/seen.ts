/** Reports each call when it has ended, by its route and never by its content. */
import type { Http } from './exchange.ts';
import { CallFailure } from './failure.ts';

export interface SeenCall {
  readonly method: string;
  /** The path as the interface writes it, with `:id` for ids. */
  readonly route: string;
  /** null where no whole answer came. */
  readonly status: number | null;
  /** True when the service may have carried out a call without a whole answer. */
  readonly outcome: 'answered' | 'not-sent' | 'unknown';
  readonly seconds: number;
  /** The span in the call's `traceparent`; null when it had none. */
  readonly trace: string | null;
}

export interface Onlooker {
  /** Returns the next call's `traceparent`. */
  trace(): string;
  call(call: SeenCall): void;
}

/** Fixed parts of the interface's paths; all others are ids. */
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
