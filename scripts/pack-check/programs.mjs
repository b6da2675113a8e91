import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/run.mjs';

/**
 * A program that is run in a folder of its own.
 * @typedef {object} Program
 * @property {string} name
 * @property {string} code TypeScript
 * @property {string | null} output what it prints; null where only its exit code counts
 */

/** All tarballs, in the form that a shell expands. */
const ALL_TARBALLS = './tarballs/*.tgz';
const EMBEDDING = 'docs/embedding.md';

/** The programs of docs/embedding.md, with the arguments of their install lines. */
export function embeddingPrograms(tarballs) {
  const text = readPage(EMBEDDING);
  const names = [...text.matchAll(/<!-- tested: (?<name>\S+) -->\n```ts\n/g)].map(({ groups }) => groups.name);
  return names.map((name) => ({ name, code: blockOf(text, name), output: blockOf(text, `${name}-output`, null), install: installOf(name, tarballs) }));
}

/** The arguments of the install line of a program in docs/embedding.md. */
export function installOf(name, tarballs) {
  const [npm, command, ...given] = blockOf(readPage(EMBEDDING), `${name}-install`).split(/\s+/);
  if (npm !== 'npm' || command !== 'install') throw new Error(`${name} is not installed by npm install`);
  return given.flatMap((argument) => (argument === ALL_TARBALLS ? tarballs.map((file) => `./tarballs/${file}`) : [argument]));
}

function blockOf(text, name, missing) {
  const found = new RegExp(`<!-- tested: ${name} -->\n\`\`\`\\w+\n(?<block>.*?)\n\`\`\``, 's').exec(text);
  if (found === null && missing === undefined) throw new Error(`${EMBEDDING} has no block named ${name}`);
  return found === null ? missing : found.groups.block;
}

/** The programs of a package's README, each with the output that the page shows. */
export function readmePrograms(place) {
  const page = `${place}/README.md`;
  const programs = [...readPage(page).matchAll(/```ts\n(?<code>.*?)\n```\n\n[^`]*?```text\n(?<output>.*?)\n```/gs)];
  if (programs.length === 0) throw new Error(`${page} shows no program that is followed by its output`);
  return programs.map(({ groups }, index) => ({ name: `${place.replaceAll('/', '-')}-${index + 1}`, code: groups.code, output: groups.output }));
}

/** A program that imports every entry of these packages, so that the compiler checks all their public types. */
export function entriesProgram(name, packages) {
  const entries = packages.flatMap(entriesOf);
  const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}';`);
  const loaded = `[${entries.map((_entry, index) => `entry${index}`).join(', ')}]`;
  return { name, code: `${imports.join('\n')}\nconsole.log(${loaded}.every((entry) => Object.keys(entry).length > 0));\n`, output: 'true' };
}

function entriesOf({ name, exports }) {
  // The other entries of the test kit are for this project's own tests, and need packages that only a checkout installs.
  const names = name === '@tollgate/testkit' ? ['./contracts'] : Object.keys(exports);
  return names.map((entry) => name + entry.slice(1));
}

function readPage(page) {
  if (!existsSync(join(root, page))) throw new Error(`${page} is missing`);
  return readFileSync(join(root, page), 'utf8');
}
