/** Controls: one protection is taken away, in stories made for it, and the oracle must find a row paid twice. */
import type { Parameters } from './parameters.ts';
import type { Tamper } from './story.ts';

export interface Control {
  readonly tamper: Tamper;
  /** A double is found within so many seeds. */
  readonly within: number;
  reshape(parameters: Parameters): Parameters;
}

/** Nothing goes wrong but what the control is about. */
const quiet = (parameters: Parameters): Parameters => ({
  ...parameters,
  faults: Object.fromEntries(
    Object.keys(parameters.faults).map((name) => [name, 0]),
  ) as unknown as Parameters['faults'],
  lockedOut: null,
  lookalikes: 0,
  corrects: false,
  stop: 0,
  suspend: 0,
  clockJump: 0,
  ledgerLost: 0,
  ledgerRestored: 0,
  secondLedger: 0,
  expires: 0,
  breaks: { late: false, lag: false },
});

/** Requests that are carried out long after the process died. */
const lateDeaths = (parameters: Parameters): Parameters => {
  const calm = quiet(parameters);
  const horizonMs = 8 * 60 * 60 * 1000;
  return {
    ...calm,
    crash: 0.9,
    commands: 5,
    faults: { ...calm.faults, late: 0.9 },
    doubt: { ...calm.doubt, horizonMs },
    lateMs: horizonMs * 0.99,
  };
};

const lostLedgers = (parameters: Parameters): Parameters => ({
  ...quiet(parameters),
  crash: 0.5,
  commands: 4,
  ledgerLost: 0.7,
});

export const controls: readonly Control[] = [
  { tamper: 'intent-after-send', within: 100, reshape: lateDeaths },
  { tamper: 'ready-at-recovery', within: 100, reshape: lateDeaths },
  { tamper: 'pass-sees-nothing', within: 100, reshape: lostLedgers },
  { tamper: 'pass-sees-own-run-only', within: 100, reshape: lostLedgers },
];
