import { describe, expect, it } from '@jest/globals';
import type { Reasoning, TextBlock, Turn } from '@tollgate/core';
import { refusalOf } from '@tollgate/testkit';
import { arrangeTurns, decodeEffort, decodeThinking, effortOf, reasoningOf } from './decode-shared-fields.js';

describe('the reasoning of a request', () => {
  it.each([
    ['none', 'off'], ['minimal', 'low'], ['low', 'low'], ['medium', 'high'], ['high', 'high'], ['xhigh', 'high'], ['max', 'max'],
  ])('with the effort %s is %s', (effort, reasoning) => {
    expect(decodeEffort(effort, null, 'effort')).toBe(reasoning);
    expect(effortOf(effort)).toBe(reasoning);
  });

  it('with an unknown effort is refused by decodeEffort, and ignored by effortOf', () => {
    expect(effortOf('ultra')).toBeNull();
    expect(refusalOf(() => decodeEffort('ultra', null, 'effort'))?.param).toBe('effort');
  });

  it.each([
    [{ type: 'enabled' }, 'on'], [{ type: 'enabled', budget_tokens: 1024 }, 'on'], [{ type: 'adaptive', display: 'omitted' }, 'on'],
    [{ type: 'disabled' }, 'off'], [{ type: 'between_tools' }, 'low'],
  ])('with the thinking %p is %s', (thinking, expected) => {
    expect(decodeThinking(thinking, null, 'thinking')).toBe(expected);
  });

  it.each([
    [{}, 'thinking.type'], [{ type: 'maybe' }, 'thinking.type'], [{ type: 'enabled', budget_tokens: 'all' }, 'thinking.budget_tokens'], ['enabled', 'thinking'],
  ])('with the thinking %p is refused', (thinking, param) => {
    expect(refusalOf(() => decodeThinking(thinking, null, 'thinking'))?.param).toBe(param);
  });

  it.each<readonly ['on' | 'low' | 'off' | null, Reasoning | null, Reasoning]>([
    [null, null, 'model-default'], [null, 'low', 'low'], [null, 'off', 'off'],
    ['on', null, 'on'], ['on', 'max', 'max'], ['on', 'off', 'off'],
    ['off', null, 'off'], ['off', 'max', 'off'], ['low', null, 'low'], ['low', 'high', 'low'], ['low', 'off', 'off'],
  ])('with the thinking %p and the effort %p is %s', (thinking, effort, reasoning) => {
    expect(reasoningOf(thinking, effort)).toBe(reasoning);
  });
});

const text = (words: string): TextBlock => ({ type: 'text', text: words });
const system = (words: string): Turn => ({ role: 'system', content: [text(words)] });
const user = (words: string): Turn => ({ role: 'user', content: [text(words)] });

describe('the turns of a conversation', () => {
  it('begin after the leading instructions', () => {
    expect(arrangeTurns([text('top')], [system('a'), system('b'), user('hi'), system('later'), user('more')])).toEqual({
      system: [text('top'), text('a'), text('b')],
      turns: [user('hi'), system('later'), user('more')],
    });
  });

  it('are the instructions if there is nothing else', () => {
    expect(arrangeTurns([text('top')], [system('a'), system('b')])).toEqual({ system: [text('top')], turns: [system('a'), system('b')] });
  });
});
