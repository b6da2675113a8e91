import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { provide } from './bootstrap/provisions.mjs';
import { tryMutation, withCopyOfTheProject } from '../tools/mutations/try-mutation.mjs';
import { readMutations } from '../tools/mutations/mutation-list.mjs';

const USAGE = `npm run mutations -- [options]

Breaks rules of money, limits and access on purpose, one after the other, in a copy of the project, and expects a test to fail each time.
tools/mutations/mutations.json lists the ways. The exit code is 1 if no test notices one of them.

  --only NAME    that mutation, or those whose names contain it; may be given several times
  --list         names them, and what each breaks
  --json         the results as JSON
  --help         prints this
`;

await endWith(async () => {
  const given = readOptions(USAGE, {
    options: {
      only: { type: 'string', multiple: true, default: [] }, list: { type: 'boolean', default: false }, json: { type: 'boolean', default: false },
    },
  });
  if (given === null) return 0;
  const { values } = given;
  const mutations = readMutations(values.only);
  if (values.list) return print(mutations.map(({ name, breaks }) => `${name}: ${breaks}\n`).join(''));
  await provide();
  const results = await withCopyOfTheProject((copy) => tryAll(mutations, copy));
  print(values.json ? `${JSON.stringify(results, null, 2)}\n` : tableOf(results));
  return results.every(({ noticed }) => noticed) ? 0 : 1;
});

function print(text) {
  process.stdout.write(text);
  return 0;
}

async function tryAll(mutations, copy) {
  const results = [];
  for (const [index, mutation] of mutations.entries()) {
    const result = await tryMutation(mutation, copy);
    process.stderr.write(`${index + 1} of ${mutations.length}: ${mutation.name} ${result.noticed ? 'is noticed' : 'SURVIVES'} (${result.seconds} s)\n`);
    results.push(result);
  }
  return results;
}

function tableOf(results) {
  const rows = results.map(({ name, noticed, by }) => `| ${name} | ${noticed ? by : `SURVIVES: ${by}`} |\n`);
  const survivors = results.filter(({ noticed }) => !noticed).length;
  return `| Mutation | Noticed by |\n|---|---|\n${rows.join('')}\n${results.length - survivors} of ${results.length} mutations are noticed.\n`;
}
