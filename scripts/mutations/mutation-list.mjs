import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/paths.mjs';

/** Ways of breaking the program, each with the texts that are replaced for it and the tests that must notice. */
export function readMutations(only = []) {
  const mutations = JSON.parse(readFileSync(join(root, 'test/mutations/mutations.json'), 'utf8'));
  const chosen = mutations.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`No mutation is named like ${only.join(' or ')}. \`npm run mutations -- --list\` names them all.`);
  return chosen;
}

/** The files of a mutation as it makes them, by path. Throws when a text that it replaces is not there exactly once. */
export function mutated({ name, changes }, readFile) {
  const files = new Map();
  for (const { file, text, replacement } of changes) {
    const before = files.get(file) ?? readFile(file);
    const times = before.split(text).length - 1;
    if (times !== 1) throw new Error(`The mutation ${name} replaces a text that is ${times} times in ${file}, and not once: ${JSON.stringify(text)}. Bring it up to date in test/mutations/mutations.json.`);
    files.set(file, before.replace(text, () => replacement));
  }
  return files;
}
