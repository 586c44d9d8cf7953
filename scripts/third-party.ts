/** Lists the libraries in the built program: their notices, and the bill of materials. Each build makes both from its own files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export interface Bundled {
  readonly name: string;
  readonly version: string;
  /** The licence that the package states, as an SPDX expression. */
  readonly licence: string;
  /** The text of the licence, and of the notice if there is one. */
  readonly notice: string;
}

const packageFile = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
});
const lockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

/** Returns the packages of these files by name, each version once. */
export function bundledIn(modules: Iterable<string>): readonly Bundled[] {
  const folders = new Set<string>();
  for (const file of modules) {
    const folder = /^(?!\0).*\/node_modules\/(?:@[^/]+\/)?[^./][^/]*(?=\/)/.exec(file)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const packages = new Map([...folders].map(packageIn).map((one) => [`${one.name} ${one.version}`, one]));
  return [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function packageIn(folder: string): Bundled {
  const {
    name,
    version,
    license,
    author = 'nobody',
  } = packageFile.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  // The authors published no licence text, so the notice says so.
  if (texts.length === 0)
    texts.push(
      `No text came with it. Its package names ${license} as its licence, and as its author: ${nameOf(author)}.`,
    );
  return { name, version, licence: license, notice: texts.join('\n\n') };
}

const nameOf = (author: string | { name: string }) => (typeof author === 'string' ? author : author.name);

export function noticesOf(packages: readonly Bundled[]): string {
  const parts = packages.map(
    ({ name, version, licence, notice }) => `${'-'.repeat(100)}\n${name} ${version} (${licence})\n\n${notice}\n`,
  );
  return `Payrun has the following packages within it, whole or in part, under the licences that stand below each.\n\n${parts.join('\n')}`;
}

/** Returns the bill in CycloneDX 1.6. It has no time and no place, so equal sources have equal bills. */
export function billOf(packages: readonly Bundled[], root: string): string {
  const own = z
    .object({ name: z.string(), version: z.string(), description: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const lock = Object.entries(
    lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))).packages,
  );
  const purl = ({ name, version }: { name: string; version: string }) =>
    `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const hashes = ({ name, version }: Bundled) => {
    const [, locked] =
      lock.find(([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version) ?? [];
    if (locked?.integrity === undefined) throw new Error(`${name} ${version} is not in package-lock.json`);
    const [kind = '', digest = ''] = locked.integrity.split('-');
    return [{ alg: kind.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }];
  };
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { 'bom-ref': purl(own), type: 'application', ...own, purl: purl(own) } },
    components: packages.map((one) => ({
      'bom-ref': purl(one),
      type: 'library',
      name: one.name,
      version: one.version,
      licenses: [/[ (]/.test(one.licence) ? { expression: one.licence } : { license: { id: one.licence } }],
      hashes: hashes(one),
      purl: purl(one),
    })),
    dependencies: [{ ref: purl(own), dependsOn: packages.map(purl) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}
