import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@tollgate/core';
import { type FieldRow, refusalOf, valuesOtherThan, withValueAt } from '@tollgate/testkit';
import { messagesFormat } from './messages-format.js';
import { FULL_MESSAGES_REQUEST } from './test-support/a-messages-request.js';

/** Every field the format reads, and the JSON types it may have. */
const FIELDS: readonly FieldRow[] = [
  ['model', 'required', 'string'],
  ['max_tokens', 'required', 'number'],
  ['system', 'optional', 'string', 'array'],
  ['system[1]', 'required', 'object'],
  ['system[1].type', 'required', 'string'],
  ['system[1].text', 'required', 'string'],
  ['messages', 'required', 'array'],
  ['messages[0]', 'required', 'object'],
  ['messages[0].role', 'required', 'string'],
  ['messages[0].content', 'required', 'string', 'array'],
  ['messages[0].content[0]', 'required', 'object'],
  ['messages[0].content[0].type', 'required', 'string'],
  ['messages[0].content[0].text', 'required', 'string'],
  ['messages[0].content[1].source', 'required', 'object'],
  ['messages[0].content[1].source.type', 'required', 'string'],
  ['messages[0].content[1].source.media_type', 'optional', 'string'],
  ['messages[0].content[1].source.data', 'required', 'string'],
  ['messages[0].content[2].source.url', 'required', 'string'],
  ['messages[1].content', 'required', 'string', 'array'],
  ['messages[1].content[0].text', 'required', 'string'],
  ['messages[2].content', 'optional', 'string', 'array'],
  ['messages[2].content[0].type', 'required', 'string'],
  ['messages[2].content[0].thinking', 'optional', 'string'],
  ['messages[2].content[0].signature', 'optional', 'string'],
  ['messages[2].content[1].text', 'required', 'string'],
  ['messages[2].content[2].id', 'required', 'string'],
  ['messages[2].content[2].name', 'required', 'string'],
  ['messages[2].content[2].input', 'optional', 'object'],
  ['messages[3].content[0].tool_use_id', 'required', 'string'],
  ['messages[3].content[0].content', 'optional', 'string', 'array'],
  ['messages[3].content[0].is_error', 'optional', 'boolean'],
  ['messages[3].content[1].content[0]', 'required', 'object'],
  ['messages[3].content[1].content[0].type', 'required', 'string'],
  ['messages[3].content[1].content[0].text', 'required', 'string'],
  ['messages[3].content[1].content[1].source', 'required', 'object'],
  ['temperature', 'optional', 'number'],
  ['top_p', 'optional', 'number'],
  ['top_k', 'optional', 'number'],
  ['stop_sequences', 'optional', 'array'],
  ['stop_sequences[1]', 'required', 'string'],
  ['stream', 'optional', 'boolean'],
  ['tools', 'optional', 'array'],
  ['tools[0]', 'required', 'object'],
  ['tools[0].type', 'optional', 'string'],
  ['tools[0].name', 'required', 'string'],
  ['tools[0].description', 'optional', 'string'],
  ['tools[0].input_schema', 'required', 'object'],
  ['tool_choice', 'optional', 'object'],
  ['tool_choice.type', 'required', 'string'],
  ['tool_choice.name', 'required', 'string'],
  ['tool_choice.disable_parallel_tool_use', 'optional', 'boolean'],
  ['thinking', 'optional', 'object'],
  ['thinking.type', 'required', 'string'],
  ['thinking.budget_tokens', 'optional', 'number'],
  ['output_config', 'optional', 'object'],
  ['output_config.effort', 'optional', 'string'],
  ['metadata', 'optional', 'object'],
  ['metadata.user_id', 'optional', 'string'],
];

const ROWS = FIELDS.flatMap(([path, , ...types]) => valuesOtherThan(...types).map((value) => [path, value] as const));

function pathsOf(presence: FieldRow[1]): readonly string[] {
  return FIELDS.filter((row) => row[1] === presence).map(([path]) => path);
}

function refusalWith(path: string, value: JsonValue) {
  return refusalOf(() => messagesFormat.decodeRequest(withValueAt(FULL_MESSAGES_REQUEST, path, value)));
}

describe('a messages request whose', () => {
  it.each(ROWS)('%s is %j is refused and the field named', (path, value) => {
    const refusal = refusalWith(path, value);
    expect(refusal).toMatchObject({ code: 'invalid_request', param: path });
    expect(refusal?.message).toMatch(/^'.+' .+\.$/);
  });

  it.each(pathsOf('required'))('%s is null is refused and the field named', (path) => {
    expect(refusalWith(path, null)).toMatchObject({ code: 'invalid_request', param: path });
  });

  /** Without `tools`, the request's `tool_choice` is at fault. */
  it.each(pathsOf('optional').filter((path) => path !== 'tools'))('%s is null is served', (path) => {
    expect(refusalWith(path, null)).toBeNull();
  });
});
