import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { missingOptionalPackages } from './bootstrap/provisions.mjs';
import { root } from './bootstrap/run.mjs';

const USAGE = `npm run complete-lockfile

To be run after adding a dependency. npm records only those platform packages of a native tool that it could look up while
it resolved, and afterwards npm ci refuses a lockfile that lacks the others. Their names and versions stand in the tool's
own entry, and a platform package's name tells the system it is for, so the missing entries are added here.
It takes no options but --help.
`;

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];
const C_LIBRARIES = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };
const EXACT_VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

await endWith(async () => {
  if (readOptions(USAGE) === null) return 0;
  const path = join(root, 'package-lock.json');
  const lockfile = JSON.parse(readFileSync(path, 'utf8'));
  for (const missing of missingOptionalPackages(lockfile.packages)) {
    lockfile.packages[`node_modules/${missing.name}`] = entryFor(missing);
    process.stdout.write(`Added ${missing.name} ${missing.version}\n`);
  }
  lockfile.packages = Object.fromEntries(Object.entries(lockfile.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`);
  return 0;
});

function entryFor({ name, version, dev }) {
  const words = name.split(/[/-]/);
  const system = words.find((word) => SYSTEMS.includes(word));
  const processor = words.find((word) => PROCESSORS.includes(word));
  if (system === undefined || processor === undefined || !EXACT_VERSION.test(version)) {
    throw new Error(`The lockfile lacks ${name} ${version}. The entry cannot be derived, because the package's name does not give a system and a processor, or the version is not exact. Add it by hand.`);
  }
  const library = C_LIBRARIES[words[words.length - 1]];
  return {
    version,
    cpu: [processor],
    ...(dev ? { dev: true } : {}),
    ...(system === 'linux' && library ? { libc: [library] } : {}),
    optional: true,
    os: [system],
  };
}
