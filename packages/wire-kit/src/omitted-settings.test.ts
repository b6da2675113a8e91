import { expect, it } from '@jest/globals';
import { decodeBody } from './decode-fields.js';
import { omittedSettings, UNSENT_SETTINGS } from './omitted-settings.js';

/** The named settings of a body, or of the body that a path is set in. */
function namesIn(body: object, hasServerTools?: boolean): readonly string[] {
  return omittedSettings(decodeBody(body), hasServerTools).omitted ?? [];
}

function bodyWith(path: string, value: unknown): object {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}

it('each unsent setting is named, after the tools', () => {
  for (const path of UNSENT_SETTINGS.keys()) {
    expect([namesIn(bodyWith(path, ['audio'])), namesIn(bodyWith(path, ['audio']), true)]).toEqual([[path], ['tools', path]]);
  }
});

it.each([undefined, null, false])('no setting with the value %p is named', (value) => {
  expect([...UNSENT_SETTINGS.keys()].flatMap((path) => namesIn(bodyWith(path, value)))).toEqual([]);
});

it.each([
  [{ mcp_servers: [], logit_bias: {}, context_management: { edits: [] } }, []],
  [{ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }, ['context_management']],
  [{ context_management: [{ type: 'compaction', compact_threshold: 1_000 }] }, ['context_management']],
  [{ container: 'container_1' }, ['container']],
  [{ web_search_options: {} }, ['web_search_options']],
  [{ modalities: ['text'], verbosity: 'medium', text: { verbosity: 'medium' } }, []],
  [{ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }, ['audio', 'modalities']],
  [{ verbosity: 'low', text: { verbosity: 'high', format: { type: 'text' } } }, ['text.verbosity', 'verbosity']],
  [{ seed: 0, top_k: 5 }, ['seed', 'top_k']],
  [{ text: 'low', output_config: null }, []],
  [{ output_config: { effort: 'high' } }, []],
  [{ output_config: { task_budget: { type: 'tokens', total: 50_000 } } }, ['output_config.task_budget']],
  [{ metadata: { a: 'b' }, store: true, service_tier: 'flex', prediction: { type: 'content', content: 'a' }, max_tool_calls: 1, truncation: 'auto', include: ['a'], logprobs: true }, []],
])('in %j the named settings are %j', (body, names) => {
  expect(namesIn(body)).toEqual(names);
});
