/** What a test file opened and must close. A worker goes on with the next file and keeps what it imported: hooks are set up for each file anew. */
import { afterAll } from 'vitest';

const endings: (() => unknown)[] = [];

/** When the test file ends; the last that was opened is the first. */
export function atEnd(end: () => unknown): void {
  endings.push(end);
}

export function setUpEndings(): void {
  afterAll(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });
}
