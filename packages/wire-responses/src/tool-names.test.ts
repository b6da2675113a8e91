import { describe, expect, it } from '@jest/globals';
import { MAX_TOOL_NAME_CHARACTERS, upstreamToolName } from './tool-names.js';

describe('upstreamToolName', () => {
  it('keeps a name that has no namespace or the default namespace', () => {
    expect([upstreamToolName(null, 'wait'), upstreamToolName('', 'wait'), upstreamToolName('functions', 'wait')]).toEqual(['wait', 'wait', 'wait']);
  });

  it('joins a namespace and a name', () => {
    expect(upstreamToolName('multi_agent_v1', 'wait_agent')).toBe('multi_agent_v1__wait_agent');
  });

  it('truncates long names to the upstreams’ maximum and keeps them distinct', () => {
    const long = 'a'.repeat(80);
    const names = [upstreamToolName(null, `${long}1`), upstreamToolName(null, `${long}2`), upstreamToolName('group', long)];
    expect(names.map(({ length }) => length)).toEqual(names.map(() => MAX_TOOL_NAME_CHARACTERS));
    expect(new Set(names).size).toBe(3);
    expect(upstreamToolName(null, 'b'.repeat(64))).toBe('b'.repeat(64));
  });
});
