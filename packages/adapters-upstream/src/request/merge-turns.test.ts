import { describe, expect, it } from '@jest/globals';
import type { AssistantTurn, SystemTurn, UserTurn } from '@tollgate/core';
import { mergeTurns } from './merge-turns.js';

describe('neighbouring turns', () => {
  const text = (words: string) => ({ type: 'text', text: words }) as const;
  const user = (...words: readonly string[]): UserTurn => ({ role: 'user', content: words.map(text) });
  const assistant = (...words: readonly string[]): AssistantTurn => ({ role: 'assistant', content: words.map(text) });
  const system = (words: string): SystemTurn => ({ role: 'system', content: [text(words)] });

  it('of the same role are merged, whether instructions stay in place or become user turns', () => {
    const turns = [user('a'), user('b', 'c'), assistant('d'), assistant('e'), system('f'), system('g'), user('h')];
    expect(mergeTurns(turns, 'in-place')).toEqual([user('a', 'b', 'c'), assistant('d', 'e'), system('f'), system('g'), user('h')]);
    expect(mergeTurns(turns, 'as-user')).toEqual([user('a', 'b', 'c'), assistant('d', 'e'), user('f', 'g', 'h')]);
  });

  it('are merged in linear time', () => {
    const many = [user(...Array.from({ length: 100_000 }, () => 'a')), ...Array.from({ length: 2_000 }, () => user('b'))];
    const startedAt = performance.now();
    expect(mergeTurns(many, 'in-place')[0]?.content).toHaveLength(102_000);
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});
