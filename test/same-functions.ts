/**
 * Fails a test file that replaces a function of Node and leaves it so. The next files of its worker would use it too: a replaced
 * `Buffer.allocUnsafe` once gave two readers the same bytes, and whole sheets were refused as damaged.
 */
import child from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import timers from 'node:timers';
import zlib from 'node:zlib';
import { afterAll, expect } from 'vitest';

const owners: Readonly<Record<string, object>> = {
  globalThis,
  Buffer,
  'Buffer.prototype': Buffer.prototype,
  child,
  crypto,
  Date,
  'DatabaseSync.prototype': DatabaseSync.prototype,
  fs,
  'fs.promises': fs.promises,
  http,
  Math,
  net,
  'StatementSync.prototype': StatementSync.prototype,
  timers,
  zlib,
};

/** `graceful-fs` replaces these when a test first loads `exceljs`. */
const replacedByExceljs = ['fs.close', 'fs.closeSync'];

function functionsOfNode(): Map<string, unknown> {
  const members = Object.entries(owners).flatMap(([owner, object]) =>
    Object.entries(Object.getOwnPropertyDescriptors(object)).map(
      ([name, { value }]) => [`${owner}.${name}`, value] as const,
    ),
  );
  return new Map(members.filter(([name, value]) => typeof value === 'function' && !replacedByExceljs.includes(name)));
}

/** Register it before all other hooks: Vitest runs the hooks after a file in the reverse order. */
export function expectSameFunctions(): void {
  const before = functionsOfNode();
  afterAll(() => {
    const now = functionsOfNode();
    expect([...before.keys()].filter((name) => now.get(name) !== before.get(name))).toEqual([]);
  });
}
