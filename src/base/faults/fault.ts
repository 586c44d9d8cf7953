/** A fault says, as data, why a file, ledger, row or answer cannot be used. `src/messages/faults` has the words. */
import type { ApprovalFaults } from './approval-faults.ts';
import type { FileFaults } from './file-faults.ts';
import type { LedgerFaults } from './ledger-faults.ts';
import type { MapFaults } from './map-faults.ts';
import type { OptionFaults } from './option-faults.ts';
import type { PlanFaults } from './plan-faults.ts';
import type { ServiceFaults } from './service-faults.ts';

export type { NameFault } from './approval-faults.ts';
export type { MapPlace } from './map-faults.ts';
export type { NamedMerchant, PlanSetting } from './plan-faults.ts';

export interface FaultFacts
  extends ApprovalFaults,
    FileFaults,
    LedgerFaults,
    MapFaults,
    OptionFaults,
    PlanFaults,
    ServiceFaults {}

type OneOf<Kinds> = { readonly [F in keyof Kinds]: { readonly fault: F } & Readonly<Kinds[F]> }[keyof Kinds];

export type Fault = OneOf<FaultFacts>;
export type ApprovalFault = OneOf<ApprovalFaults>;
export type FileFault = OneOf<FileFaults>;
export type LedgerFault = OneOf<LedgerFaults>;
export type MapFault = OneOf<MapFaults>;
export type OptionFault = OneOf<OptionFaults>;
export type PlanFault = OneOf<PlanFaults>;
export type ServiceFault = OneOf<ServiceFaults>;
