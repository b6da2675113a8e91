import { describe, expect, it } from '@jest/globals';
import type { Reasoning } from '@tollgate/core';
import { refusalOf } from '@tollgate/testkit';
import { decodeEffort, decodeThinking, reasoningOf } from './decode-shared-fields.js';

describe('reasoning', () => {
  it.each([
    ['none', 'off'], ['minimal', 'low'], ['low', 'low'], ['medium', 'high'], ['high', 'high'], ['xhigh', 'high'], ['max', 'max'],
  ])('effort %s means %s', (effort, reasoning) => {
    expect(decodeEffort(effort, null, 'effort')).toBe(reasoning);
  });

  it.each([
    [{ type: 'enabled' }, 'on'], [{ type: 'enabled', budget_tokens: 1024 }, 'on'], [{ type: 'adaptive', display: 'omitted' }, 'on'],
    [{ type: 'disabled' }, 'off'],
  ])('thinking %p means %s', (thinking, expected) => {
    expect(decodeThinking(thinking, null, 'thinking')).toBe(expected);
  });

  it.each([
    [{}, 'thinking.type'], [{ type: 'maybe' }, 'thinking.type'], [{ type: 'enabled', budget_tokens: 'all' }, 'thinking.budget_tokens'], ['enabled', 'thinking'],
  ])('thinking %p is refused', (thinking, param) => {
    expect(refusalOf(() => decodeThinking(thinking, null, 'thinking'))?.param).toBe(param);
  });

  it.each<readonly ['on' | 'off' | null, Reasoning | null, Reasoning]>([
    [null, null, 'model-default'], [null, 'low', 'low'], [null, 'off', 'off'],
    ['on', null, 'on'], ['on', 'max', 'max'], ['on', 'off', 'off'],
    ['off', null, 'off'], ['off', 'max', 'off'],
  ])('thinking %p with effort %p makes %s', (thinking, effort, reasoning) => {
    expect(reasoningOf(thinking, effort)).toBe(reasoning);
  });
});
