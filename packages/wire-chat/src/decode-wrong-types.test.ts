import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@tollgate/core';
import { type FieldRow, refusalOf, valuesOtherThan, withValueAt } from '@tollgate/testkit';
import { chatFormat } from './chat-format.js';
import { FULL_CHAT_REQUEST } from './test-support/a-chat-request.js';

/** Every field the format reads, and the JSON types it may have. */
const FIELDS: readonly FieldRow[] = [
  ['model', 'required', 'string'],
  ['messages', 'required', 'array'],
  ['messages[0]', 'required', 'object'],
  ['messages[0].role', 'required', 'string'],
  ['messages[0].content', 'required', 'string', 'array'],
  ['messages[1].content[0]', 'required', 'object'],
  ['messages[1].content[0].type', 'required', 'string'],
  ['messages[1].content[0].text', 'required', 'string'],
  ['messages[2].content', 'required', 'string', 'array'],
  ['messages[2].content[0]', 'required', 'object'],
  ['messages[2].content[0].text', 'required', 'string'],
  ['messages[2].content[1].type', 'required', 'string'],
  ['messages[2].content[1].image_url', 'required', 'object', 'string'],
  ['messages[2].content[1].image_url.url', 'required', 'string'],
  ['messages[2].content[2].image_url', 'required', 'object', 'string'],
  ['messages[3].content', 'optional', 'string', 'array'],
  ['messages[3].content[0].text', 'required', 'string'],
  ['messages[3].content[1].refusal', 'required', 'string'],
  ['messages[3].reasoning_content', 'optional', 'string'],
  ['messages[3].tool_calls', 'optional', 'array'],
  ['messages[3].tool_calls[1]', 'required', 'object'],
  ['messages[3].tool_calls[1].id', 'required', 'string'],
  ['messages[3].tool_calls[1].type', 'optional', 'string'],
  ['messages[3].tool_calls[1].function', 'required', 'object'],
  ['messages[3].tool_calls[1].function.name', 'required', 'string'],
  ['messages[3].tool_calls[1].function.arguments', 'optional', 'string'],
  ['messages[4].tool_call_id', 'required', 'string'],
  ['messages[4].content', 'optional', 'string', 'array'],
  ['messages[5].content[0].text', 'required', 'string'],
  ['max_tokens', 'optional', 'number'],
  ['max_completion_tokens', 'optional', 'number'],
  ['temperature', 'optional', 'number'],
  ['top_p', 'optional', 'number'],
  ['frequency_penalty', 'optional', 'number'],
  ['presence_penalty', 'optional', 'number'],
  ['stop', 'optional', 'string', 'array'],
  ['stop[1]', 'required', 'string'],
  ['stream', 'optional', 'boolean'],
  ['stream_options', 'optional', 'object'],
  ['stream_options.include_usage', 'optional', 'boolean'],
  ['response_format', 'optional', 'object'],
  ['response_format.type', 'required', 'string'],
  ['tools', 'optional', 'array'],
  ['tools[0]', 'required', 'object'],
  ['tools[0].type', 'required', 'string'],
  ['tools[0].function', 'required', 'object'],
  ['tools[0].function.name', 'required', 'string'],
  ['tools[0].function.description', 'optional', 'string'],
  ['tools[0].function.parameters', 'optional', 'object'],
  ['tool_choice', 'optional', 'string', 'object'],
  ['tool_choice.type', 'required', 'string'],
  ['tool_choice.function', 'required', 'object'],
  ['tool_choice.function.name', 'required', 'string'],
  ['parallel_tool_calls', 'optional', 'boolean'],
  ['reasoning_effort', 'optional', 'string'],
  ['thinking', 'optional', 'object'],
  ['thinking.type', 'required', 'string'],
  ['thinking.budget_tokens', 'optional', 'number'],
  ['user', 'optional', 'string'],
  ['n', 'optional', 'number'],
];

const ROWS = FIELDS.flatMap(([path, , ...types]) => valuesOtherThan(...types).map((value) => [path, value] as const));

function pathsOf(presence: FieldRow[1]): readonly string[] {
  return FIELDS.filter((row) => row[1] === presence).map(([path]) => path);
}

function refusalWith(path: string, value: JsonValue) {
  return refusalOf(() => chatFormat.decodeRequest(withValueAt(FULL_CHAT_REQUEST, path, value)));
}

describe('a chat request whose', () => {
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
