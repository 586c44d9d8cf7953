/** Disks that are soon full. */
import { execFileSync } from 'node:child_process';
import { atEnd } from './endings.ts';
import { newFolder } from './support.ts';

/** A disk of so much; null where this machine's user may not make one. */
export function smallDisk(size: string): string | null {
  const folder = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  atEnd(() => execFileSync('umount', ['-l', folder]));
  return folder;
}

export const mayMount = smallDisk('1m') !== null;
