import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/bootstrap/run.mjs';

/** The mutations. Each has statements to replace, and tests that must then fail. */
export function readMutations(only = []) {
  const mutations = JSON.parse(readFileSync(join(root, 'tools/mutations/mutations.json'), 'utf8'));
  const chosen = mutations.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`No mutation matches ${only.join(' or ')}. \`npm run mutations -- --list\` names them all.`);
  return chosen;
}

/** Contents of the changed files, by path. Throws unless each statement occurs exactly once in its declaration. */
export function mutated({ name, changes }, sources) {
  const files = new Map();
  const places = changes.map((change) => ({ ...change, ...placeOf(name, change, sources) }));
  // The last statement is replaced first, so that the line numbers of the others stay valid.
  for (const { file, from, to, replacement } of places.sort((one, other) => other.from - one.from)) {
    const lines = files.get(file) ?? readFileSync(file, 'utf8').split('\n');
    files.set(file, [...lines.slice(0, from), ...replacement === '' ? [] : [replacement], ...lines.slice(to)]);
  }
  return new Map([...files].map(([file, lines]) => [file, lines.join('\n')]));
}

function placeOf(mutation, { in: name, statement }, sources) {
  const places = sources.find(name, statement);
  if (places.length === 1) return places[0];
  const found = sources.has(name) ? `${places.length} times in what the sources declare as ${name}` : `nowhere, since the sources declare no ${name}`;
  throw new Error(`The mutation ${mutation} replaces a statement that must occur once, but is ${found}: ${JSON.stringify(statement)}. Bring it up to date in tools/mutations/mutations.json.`);
}
