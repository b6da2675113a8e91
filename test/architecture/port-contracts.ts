import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A class that ships and says that it is a port. */
interface Adapter {
  readonly port: string;
  readonly adapter: string;
}

/** Every interface that the file of a port is named after. */
export function findPorts(): ReadonlySet<string> {
  const files = globSync('packages/core/src/ports/*.ts', { cwd: ROOT });
  return new Set(files.map((file) => basename(file, '.ts').replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())));
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
