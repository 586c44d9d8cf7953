/** What can fail without a death, each at the calls where the system or SQLite can answer so. */
import { type Act, sqliteError, systemError } from './seams.ts';

export interface Fault {
  /** The calls, of which the n-th fails. */
  readonly at: string;
  readonly act: Act;
}

const [EIO, EACCES, EMFILE, ENOSPC] = [
  ['EIO', -5],
  ['EACCES', -13],
  ['EMFILE', -24],
  ['ENOSPC', -28],
].map(([code, errno]) => systemError(String(code), Number(errno))) as [Error, Error, Error, Error];
const busy = sqliteError(5, 'database is locked');
const ioerr = sqliteError(10, 'disk I/O error');
const corrupt = sqliteError(11, 'database disk image is malformed');
const full = sqliteError(13, 'database or disk is full');

export const faults = {
  'SQL busy': { at: 'call sql', act: busy },
  'SQL I/O error': { at: 'call sql', act: ioerr },
  'SQL corrupt': { at: 'call sql', act: corrupt },
  'SQL full': { at: 'call sql', act: full },
  'commit busy': { at: 'call commit', act: busy },
  'commit I/O error': { at: 'call commit', act: ioerr },
  'commit corrupt': { at: 'call commit', act: corrupt },
  'commit full': { at: 'call commit', act: full },
  // A flush that fails after the log was written: told as failed, and there all the same when the file is opened again.
  'commit made, and told as failed': { at: 'after commit', act: ioerr },
  'open EMFILE': { at: 'call open', act: EMFILE },
  'open EACCES': { at: 'call open', act: EACCES },
  'open EIO': { at: 'call open', act: EIO },
  'copy ENOSPC': { at: 'call copy', act: ENOSPC },
  'copy EIO': { at: 'call copy', act: EIO },
  'read EIO': { at: 'call read', act: EIO },
  'write ENOSPC': { at: 'call write', act: ENOSPC },
  'write EIO': { at: 'call write', act: EIO },
  'write short': { at: 'call write', act: 'short' },
  'fsync EIO': { at: 'call fsync', act: EIO },
  'fsync ENOSPC': { at: 'call fsync', act: ENOSPC },
  'rename EACCES': { at: 'call rename', act: EACCES },
  'rename EIO': { at: 'call rename', act: EIO },
  'rename ENOSPC': { at: 'call rename', act: ENOSPC },
  'other EIO': { at: 'call other', act: EIO },
  'other EACCES': { at: 'call other', act: EACCES },
  'connection refused': { at: 'call connect', act: 'refuse' },
  'reset before the request': { at: 'call request', act: 'reset' },
  'reset after the request': { at: 'after request', act: 'reset' },
  'answer cut': { at: 'answer', act: 'cut' },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];
