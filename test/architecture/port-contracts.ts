import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

interface Adapter {
  readonly port: string;
  readonly adapter: string;
}

/** Ports that are tested by the contracts of other ports. */
const PARTS: ReadonlySet<string> = new Set(['ChangeListener', 'KeyDirectory', 'ProviderStream']);
const DECLARED = /^export interface (\w+)/gm;

/** Names of the interfaces that core and identity export, except `PARTS`. */
export function findPorts(): ReadonlySet<string> {
  const files = globSync('packages/{core,identity}/src/*/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const declared = texts.flatMap((text) => Array.from(text.matchAll(DECLARED), ([, name = '']) => name));
  return new Set(declared.filter((name) => !PARTS.has(name)));
}

export function findAdapters(ports: ReadonlySet<string>): readonly Adapter[] {
  const files = globSync('packages/{adapters-*,sql-common}/src/**/*.ts', { cwd: ROOT }).filter((file) => !/\.test\.ts$|\/test-support\//.test(file));
  return files.flatMap((file) => adaptersIn(readFileSync(join(ROOT, file), 'utf8'))).filter(({ port }) => ports.has(port));
}

/** Classes with an `implements` clause. */
export function adaptersIn(source: string): readonly Adapter[] {
  return [...source.matchAll(/\bclass (\w+)[^{]*? implements ([\w, ]+?) \{/g)].flatMap(([, adapter = '', names = '']) => (
    names.split(', ').map((port) => ({ port, adapter }))));
}

/** Ports with several adapters, or with one adapter for both SQL databases. */
export function portsOfSeveral(adapters: readonly Adapter[]): readonly string[] {
  const ports = adapters.flatMap(({ port, adapter }) => (adapter.startsWith('Sql') ? [port, port] : [port]));
  return [...new Set(ports.filter((port, position) => ports.indexOf(port) !== position))].toSorted();
}

export function runsContract(testFile: string, contract: string, name: string): boolean {
  return readFileSync(join(ROOT, testFile), 'utf8').includes(`\n${contract}('${name.replaceAll("'", "\\'")}'`);
}
