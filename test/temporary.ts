/** Where tests put their folders: in memory where the machine has room there. Processes die in them, not the power, and fsync there is quick. */
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const inMemory = '/dev/shm';
/** Several times what a run of all tests has there at one moment. A container has 64 MiB, unless it asks for more. */
const roomBytes = 2 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= roomBytes;
  } catch {
    return false;
  }
}

export const temporary = hasRoom() ? inMemory : tmpdir();
