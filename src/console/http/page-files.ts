/** Serves the built page from memory, so that no path of a request reaches the disk. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { type Coding, codings } from './compress.ts';

interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly compressed: { readonly [C in Coding]?: Buffer };
  /** True if the name contains the file's digest, so that browsers may keep the file. */
  readonly immutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
};

const start = '/index.html';

export type PageFiles = ReturnType<typeof readPage>;

/** `at` returns the file at a path, or the start page for a path of the page. Null for other paths. */
export function readPage(folder: string | null) {
  const files = new Map<string, PageFile>();
  if (folder !== null && existsSync(folder))
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const type = types[extname(entry.name)];
      if (!entry.isFile() || type === undefined) continue;
      const address = `/${relative(folder, path).split(sep).join('/')}`;
      const compressed = Object.fromEntries(
        Object.entries(codings)
          .filter(([, ending]) => existsSync(path + ending))
          .map(([coding, ending]) => [coding, readFileSync(path + ending)]),
      );
      files.set(address, { type, bytes: readFileSync(path), compressed, immutable: address.startsWith('/assets/') });
    }
  // True for a path that the page shows, such as `/batches/NAME`. A dot in NAME begins no file ending.
  const isPage = (path: string) => extname(path) === '' || /^\/(?!assets\/)[a-z]+\/./.test(path);
  return { at: (path: string) => files.get(path) ?? (isPage(path) ? (files.get(start) ?? null) : null) };
}
