import { expect, it } from '@jest/globals';
import { codexNameOf } from './model-facts.js';

const model = (id: string, ...aliases: readonly string[]) => ({ id, aliases });

it.each([
  ['that has it as an alias', [model('a', 'gpt-5.5'), model('b', 'gpt-5*')], 'gpt-5.5'],
  ['whose pattern is the longest that matches', [model('a', 'gpt-5*'), model('b', 'gpt-*', 'claude-*')], 'gpt-5.5'],
  ['with a shorter pattern than another', [model('a', 'gpt-*'), model('b', 'gpt-5*')], 'a'],
  ['with a pattern, where another has the name', [model('a', 'gpt-5*'), model('gpt-5.5')], 'a'],
  ['with other aliases', [model('a', 'codex-*', 'gpt-4'), model('b')], 'a'],
])('Codex uses its own name for a model %s', (_, models, name) => {
  expect(codexNameOf(models[0] ?? model(''), models)).toBe(name);
});
