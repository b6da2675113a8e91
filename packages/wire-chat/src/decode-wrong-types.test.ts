import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@tollgate/core';
import { CHAT_FIELDS, FULL_CHAT_REQUEST, refusalOf, valuesOtherThan, withValueAt } from '@tollgate/testkit';
import { chatFormat } from './chat-format.js';

const ROWS = CHAT_FIELDS.flatMap(([path, , ...types]) => valuesOtherThan(...types).map((value) => [path, value] as const));

function pathsOf(presence: 'required' | 'optional'): readonly string[] {
  return CHAT_FIELDS.filter((row) => row[1] === presence).map(([path]) => path);
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
