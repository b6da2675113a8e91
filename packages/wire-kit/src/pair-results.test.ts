import { describe, expect, it } from '@jest/globals';
import type { AssistantBlock, TextBlock, ToolResultBlock, Turn, UserBlock } from '@tollgate/core';
import * as fc from 'fast-check';
import { pairResults } from './pair-results.js';

const text = (words: string): TextBlock => ({ type: 'text', text: words });
const call = (id: string): AssistantBlock => ({ type: 'tool-call', id, name: 'look', argumentsJson: '{}' });
const result = (id: string, words = 'seen'): ToolResultBlock => ({ type: 'tool-result', toolCallId: id, content: [text(words)], isError: false });
const aborted = (id: string) => result(id, 'aborted');
const user = (...content: readonly UserBlock[]): Turn => ({ role: 'user', content });
const assistant = (...content: readonly AssistantBlock[]): Turn => ({ role: 'assistant', content });
const system: Turn = { role: 'system', content: [text('Be brief.')] };

describe('pairResults', () => {
  it.each<[string, readonly Turn[], readonly Turn[]]>([
    ['nothing', [], []],
    ['calls with their results, which changes nothing', [assistant(call('1'), call('2')), user(result('2'), text('a'), result('1'))], [assistant(call('1'), call('2')), user(result('2'), text('a'), result('1'))]],
    ['results over several turns', [assistant(call('1')), assistant(call('2')), user(result('1')), system, user(result('2'), text('a'))], [assistant(call('1')), assistant(call('2')), user(result('1'), result('2')), system, user(text('a'))]],
    ['an id that is used again', [assistant(call('1')), user(result('1')), assistant(call('1')), user(result('1'))], [assistant(call('1')), user(result('1')), assistant(call('1')), user(result('1'))]],
    ['a call that was interrupted', [assistant(call('1')), user(text('Stop.'))], [assistant(call('1')), user(aborted('1'), text('Stop.'))]],
    ['one of two calls that was interrupted', [assistant(call('1'), call('2')), user(result('2'))], [assistant(call('1'), call('2')), user(aborted('1'), result('2'))]],
    ['a call before another turn of the model', [assistant(call('1')), system, assistant(text('a'))], [assistant(call('1')), user(aborted('1')), system, assistant(text('a'))]],
    ['a call at the end', [assistant(call('1'))], [assistant(call('1')), user(aborted('1'))]],
    ['an instruction before the only result', [assistant(call('1')), system, user(result('1'))], [assistant(call('1')), user(result('1')), system]],
    ['an id that is used again without a result', [assistant(call('1')), assistant(call('1')), user(result('1'))], [assistant(call('1')), user(aborted('1')), assistant(call('1')), user(result('1'))]],
    ['a result without a call', [user(result('1'), text('a'))], [user(text('seen'), text('a'))]],
    ['a result that comes after the next turn of the model', [assistant(call('1')), user(text('Wait.')), assistant(text('I wait.')), user(result('1'))], [assistant(call('1')), user(aborted('1'), text('Wait.')), assistant(text('I wait.')), user(text('seen'))]],
    ['a result after a text of the user and an instruction', [assistant(call('1')), user(text('a')), system, user(result('1'))], [assistant(call('1')), user(text('a'), result('1')), system]],
    ['two calls of one id', [assistant(call('1'), call('1')), user(result('1'), result('1', 'again'))], [assistant(call('1'), call('1')), user(result('1'), text('again'))]],
    ['a second result', [assistant(call('1')), user(result('1')), user(result('1', 'again'))], [assistant(call('1')), user(result('1')), user(text('again'))]],
  ])('pairs %s', (_name, given, paired) => {
    expect(pairResults(given)).toEqual(paired);
  });

  const someId = fc.constantFrom('1', '2', '3');
  const turn: fc.Arbitrary<Turn> = fc.oneof(
    fc.tuple(fc.constant([text('a')]), fc.uniqueArray(someId, { maxLength: 2 })).map(([said, ids]) => assistant(...said, ...ids.map(call))),
    fc.array(fc.oneof(someId.map((id) => result(id)), fc.constant(text('b'))), { maxLength: 3 }).map((content) => user(...content)),
    fc.constant(system),
  );

  /** Calls without a result before the model's next turn, and results without a call. */
  function unpaired(turns: readonly Turn[]): readonly string[] {
    const found: string[] = [];
    let open: string[] = [];
    for (const [index, { role, content }] of turns.entries()) {
      if (role === 'assistant' && turns[index - 1]?.role !== 'assistant') {
        found.push(...open);
        open = [];
      }
      open.push(...content.flatMap((block) => (block.type === 'tool-call' ? [block.id] : [])));
      const results = content.flatMap((block) => (block.type === 'tool-result' ? [block.toolCallId] : []));
      found.push(...results.filter((id, at) => !open.includes(id) || results.indexOf(id) < at));
      open = open.filter((id) => !results.includes(id));
    }
    return [...found, ...open];
  }

  it('gives every call of any conversation exactly one result, and changes nothing if applied again', () => {
    fc.assert(fc.property(fc.array(turn, { maxLength: 8 }), (given) => {
      const paired = pairResults(given);
      expect(unpaired(paired)).toEqual([]);
      expect(paired.filter(({ content }, index) => paired[index - 1]?.role !== 'assistant' && content.some(({ type }) => type === 'tool-result'))).toEqual([]);
      expect(pairResults(paired)).toEqual(paired);
    }));
  });
});
