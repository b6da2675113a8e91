import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A class that ships and says that it is a port. */
interface Adapter {
  readonly port: string;
  readonly adapter: string;
}

/** Parts of ports, which the contracts of their ports try. */
const PARTS: ReadonlySet<string> = new Set(['ChangeListener', 'KeyDirectory', 'ProviderStream']);
const DECLARED = /^export interface (\w+)/gm;

/** Every interface that an adapter may serve: of the core, and of what signs people in. */
export function findPorts(): ReadonlySet<string> {
  const files = globSync('packages/{core,identity}/src/*/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const declared = texts.flatMap((text) => Array.from(text.matchAll(DECLARED), ([, name = '']) => name));
  return new Set(declared.filter((name) => !PARTS.has(name)));
}

/** The adapters of these ports in the packages that hold adapters. */
export function findAdapters(ports: ReadonlySet<string>): readonly Adapter[] {
  const files = globSync('packages/{adapters-*,sql-common}/src/**/*.ts', { cwd: ROOT }).filter((file) => !/\.test\.ts$|\/test-support\//.test(file));
  return files.flatMap((file) => adaptersIn(readFileSync(join(ROOT, file), 'utf8'))).filter(({ port }) => ports.has(port));
}

/** The classes of one source that name what they implement. */
export function adaptersIn(source: string): readonly Adapter[] {
  return [...source.matchAll(/\bclass (\w+)[^{]*? implements ([\w, ]+?) \{/g)].flatMap(([, adapter = '', names = '']) => (
    names.split(', ').map((port) => ({ port, adapter }))));
}

/** Those ports among them that more than one adapter serves. */
export function portsOfSeveral(adapters: readonly Adapter[]): readonly string[] {
  const ports = adapters.map(({ port }) => port);
  return [...new Set(ports.filter((port, position) => ports.indexOf(port) !== position))].toSorted();
}

/** Whether a test file runs a contract under this name. */
export function runsContract(testFile: string, contract: string, name: string): boolean {
  return readFileSync(join(ROOT, testFile), 'utf8').includes(`\n${contract}('${name.replaceAll("'", "\\'")}'`);
}
