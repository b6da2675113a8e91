import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/bootstrap/run.mjs';

/** The mutations, each with the statements that it replaces and the tests that must fail. */
export function readMutations(only = []) {
  const mutations = JSON.parse(readFileSync(join(root, 'tools/mutations/mutations.json'), 'utf8'));
  const chosen = mutations.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`No mutation matches ${only.join(' or ')}. \`npm run mutations -- --list\` names them all.`);
  return chosen;
}

/** The changed files by path. Throws unless each replaced statement occurs exactly once within `in`. */
export function mutated({ name, changes }, sources) {
  const files = new Map();
  const places = changes.map((change) => ({ ...change, ...placeOf(name, change, sources) }));
  // From the last to the first, so that line numbers stay valid.
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
  throw new Error(`The mutation ${mutation} replaces a statement that is ${found}, and not once: ${JSON.stringify(statement)}. Bring it up to date in tools/mutations/mutations.json.`);
}
