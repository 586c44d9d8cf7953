/** Where tests put their folders: in memory where the machine has such a place. Processes die in them, not the power, and fsync there is quick. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

export const temporary = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
