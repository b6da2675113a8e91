import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { tokenWord } from '../brand/token-word';

const texts = join(import.meta.dirname, '../texts');
const [english, ...others] = ['en', ...readdirSync(texts).filter((language) => language !== 'en')] as [string, ...string[]];
const files = readdirSync(join(texts, english));

/** Matches texts of several words, which must differ between the languages; single words may be the same in both. */
const SEVERAL_WORDS = /\p{L}{3,} .*\p{L}{3,}/u;

interface Text {
  readonly path: string;
  readonly value: unknown;
}

function textsIn(value: unknown, path: string): readonly Text[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, `${path}.${name}`));
}

async function textsOf(language: string, file: string): Promise<ReadonlyMap<string, unknown>> {
  const module: unknown = await import(join(texts, language, file));
  return new Map(textsIn(module, file.replace('.ts', '')).map(({ path, value }) => [path, value]));
}

describe.each(others)('the texts in %s', (language) => {
  it('are in the same files as the English ones', () => {
    expect(readdirSync(join(texts, language))).toEqual(files);
  });

  it.each(files)('have every key of the English ones: %s', async (file) => {
    const names = new Set((await textsOf(language, file)).keys());
    expect([...(await textsOf(english, file)).keys()].filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(files)('are translated: %s', async (file) => {
    const originals = await textsOf(english, file);
    const sentences = [...await textsOf(language, file)].filter(([path, text]) => typeof text === 'string' && text === originals.get(path) && text !== tokenWord && SEVERAL_WORDS.test(text));
    expect(sentences).toEqual([]);
  });
});

it('no text contains the name of the product, which operators replace with their own', () => {
  const named = [english, ...others].flatMap((language) => files.map((file) => `${language}/${file}`)).filter((file) => readFileSync(join(texts, file), 'utf8').includes('Tollgate'));
  expect(named).toEqual([]);
});
