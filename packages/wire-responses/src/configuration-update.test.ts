import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { refusalOf } from '@tollgate/testkit';
import { decodeRequest } from './decode-request.js';

const USER = { role: 'user', content: 'Hi' };
const SAID = { role: 'assistant', content: 'Yes.' };
const JSON_FORMAT = { type: 'json_schema', name: 'answer', schema: { type: 'object' } };

const update = (fields: JsonObject): JsonObject => ({ type: 'configuration_update', ...fields });
const effort = (word: string): JsonObject => update({ reasoning: { effort: word } });
const format = (value: JsonObject): JsonObject => update({ text: { format: value } });

const decode = (input: readonly JsonObject[], differences: JsonObject = {}) => decodeRequest({ model: 'test-model', input, ...differences }, { source: null, seal: null });

describe('an update of the configuration', () => {
  it.each<readonly [string, readonly JsonObject[], JsonObject, string]>([
    ['replaces the effort of the request', [effort('low'), USER], { reasoning: { effort: 'max' } }, 'low'],
    ['adds an effort to a request without one', [USER, SAID, effort('max'), USER], {}, 'max'],
    ['is replaced by the next update', [effort('low'), USER, SAID, effort('max'), USER], {}, 'max'],
    ['keeps the settings that it does not state', [effort('low'), USER, SAID, format(JSON_FORMAT), USER], {}, 'low'],
    ['leaves an unknown effort to the model', [effort('ultra'), USER], { reasoning: { effort: 'max' } }, 'model-default'],
  ])('%s', (_what, input, differences, reasoning) => {
    expect(decode(input, differences).generation.reasoning).toBe(reasoning);
  });

  it('replaces the format of the reply, and the response repeats the settings in force', () => {
    const { generation, echo } = decode([USER, format(JSON_FORMAT), effort('low')], { text: { format: { type: 'text' }, verbosity: 'high' }, reasoning: { effort: 'max', summary: 'auto' } });
    expect([generation.responseFormat, generation.outputSchema?.name]).toEqual(['json', 'answer']);
    expect(echo?.parameters).toMatchObject({ text: { format: { type: 'json_schema', name: 'answer' }, verbosity: 'high' }, reasoning: { effort: 'low', summary: 'auto' } });
    expect(decode([USER, format({ type: 'text' })], { text: { format: JSON_FORMAT } }).generation.responseFormat).toBe('text');
  });

  it('adds no turn, and does not separate the items of the assistant around it', () => {
    expect(decode([USER, SAID, effort('low'), SAID, USER]).generation.conversation.turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it.each<readonly [JsonObject, string]>([
    [update({ reasoning: 'low' }), 'input[1].reasoning'],
    [update({ reasoning: { effort: 1 } }), 'input[1].reasoning.effort'],
    [format({ type: 'yaml' }), 'input[1].text.format.type'],
  ])('with an invalid field is refused: %j', (item, param) => {
    expect(refusalOf(() => decode([USER, item]))?.param).toBe(param);
  });

  it('does not hide an invalid field of the request', () => {
    expect(refusalOf(() => decode([USER, effort('low')], { reasoning: 'max' }))?.param).toBe('reasoning');
  });
});
