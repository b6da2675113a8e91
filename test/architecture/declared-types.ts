import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';

export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly types?: string;
  readonly typings?: string;
  readonly main?: string;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Forms of an import: `import … from 'x'` and `export … from 'x'` at the start of a line, `import 'x'`, `import('x')`, and references to types. */
const SPECIFIERS = /^(?:import|export)\b(?:[^;'"]*\bfrom)?\s*['"](?<named>[^'"]+)['"]|\bimport\(['"](?<typed>[^'"]+)['"]|^\/\/\/\s*<reference types=['"](?<referred>[^'"]+)['"]/gmu;
const PACKAGE = /^(?:@[^/]+\/)?[^/]+/u;

function specifiersIn(declarations: string): readonly string[] {
  return [...declarations.matchAll(SPECIFIERS)].map(({ groups = {} }) => groups['named'] ?? groups['typed'] ?? groups['referred'] ?? '');
}

/** Names of the packages that a declaration file imports, except Node's own modules. */
export function packagesNamed(declarations: string): readonly string[] {
  const packages = specifiersIn(declarations).filter((specifier) => !/^[.#]/u.test(specifier) && !isBuiltin(specifier) && specifier !== 'node');
  return [...new Set(packages.map((specifier) => PACKAGE.exec(specifier)?.[0] ?? specifier))];
}

function typesOf(name: string): string {
  return `@types/${name.replace(/^@/u, '').replace('/', '__')}`;
}

/** Path of the declaration file next to a compiled file. */
function declarationsBeside(path: string): string {
  return path.replace(/\.(?<kind>[cm]?)js$/u, '.d.$<kind>ts');
}

/** Folder of an installed package; `null` if it is not installed. */
function installed(name: string, modules: readonly string[]): string | null {
  return modules.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json'))) ?? null;
}

/** True if the manifest names declarations, or if an entry has a declaration file next to it. */
function hasOwnTypes(name: string, modules: readonly string[]): boolean {
  const folder = installed(name, modules);
  if (folder === null) return false;
  const { types, typings, main = 'index.js', exports = null } = readManifest(folder);
  if (types !== undefined || typings !== undefined) return true;
  const entries = [main, ...[...JSON.stringify(exports).matchAll(/"(?<entry>\.\/[^"]+)"/gu)].map(({ groups = {} }) => groups['entry'] ?? '')];
  const declarations = entries.map(declarationsBeside).filter((entry) => /\.d\.[cm]?ts$/u.test(entry));
  return declarations.some((entry) => existsSync(join(folder, entry)));
}

function typesNamedBy(name: string, modules: readonly string[]): readonly string[] {
  const folder = name.startsWith('@types/') ? installed(name, modules) : null;
  return folder === null ? [] : Object.keys(readManifest(folder).dependencies ?? {});
}

/** The named packages, and all packages whose types they use, directly or through others. */
function withTheirTypes(names: Iterable<string>, modules: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  // The set grows during the loop, which also visits what is added.
  for (const name of found) for (const other of typesNamedBy(name, modules)) found.add(other);
  return found;
}

/**
 * Of the packages in `named`, those whose types are not installed together with the package of this manifest. `modules` are the folders in which that
 * package finds others. A development dependency with types of its own counts as present, because only entry points for this repository import it.
 */
export function packagesWithoutTypes(manifest: Manifest, named: readonly string[], modules: readonly string[]): readonly string[] {
  const present = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const types = withTheirTypes(present, modules);
  const mayBeTyped = new Set([...present, ...Object.keys(manifest.devDependencies ?? {})]);
  return named.filter((name) => !types.has(typesOf(name)) && !(mayBeTyped.has(name) && hasOwnTypes(name, modules)));
}

/** Declaration files that the compiler reads for a program that imports the entries of a compiled package. */
export function declarationsOf(folder: string, { exports = null }: Manifest): readonly string[] {
  const entries = [...JSON.stringify(exports).matchAll(/"types":"(?<entry>[^"]+)"/gu)].map(({ groups = {} }) => join(folder, groups['entry'] ?? ''));
  const read = new Map<string, string>();
  for (let file = entries.pop(); file !== undefined; file = entries.pop()) {
    if (read.has(file)) continue;
    const declarations = readFileSync(file, 'utf8');
    read.set(file, declarations);
    const [place, beside] = [dirname(file), specifiersIn(declarations).filter((specifier) => specifier.startsWith('.'))];
    entries.push(...beside.map((specifier) => join(place, declarationsBeside(specifier))));
  }
  return [...read.values()];
}
