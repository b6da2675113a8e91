import * as fc from 'fast-check';
import { anyCharacter } from '@tollgate/testkit';
import { type JsonTree, leaf, type Member, sizeOf, valueAt, withValueAt } from './json-tree.js';

/** A change of a JSON tree. Positions are taken modulo the number of values, so that every mutation fits every tree. */
export type JsonMutation =
  | { readonly kind: 'replace'; readonly at: number; readonly text: string }
  | { readonly kind: 'delete'; readonly at: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly times: number }
  | { readonly kind: 'copy'; readonly from: number; readonly at: number }
  | { readonly kind: 'wrap'; readonly at: number; readonly in: 'list' | 'object' }
  | { readonly kind: 'nest'; readonly at: number; readonly levels: number }
  | { readonly kind: 'add-member'; readonly at: number; readonly key: string; readonly text: string }
  | { readonly kind: 'rename'; readonly at: number; readonly member: number; readonly key: string }
  | { readonly kind: 'lengthen'; readonly at: number; readonly characters: string; readonly length: number };

/** Keys of prototypes, keys of the formats in the wrong place, and keys with special characters. */
const HOSTILE_KEYS = [
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then', 'toJSON', '__defineGetter__', '', ' ', '0', '-1',
  '4294967295', '\0', '\uD800', 'role', 'content', 'type', 'text', 'tool_calls', 'tool_call_id', 'tool_use_id', 'function', 'function_call',
  'functions', 'arguments', 'input', 'input_schema', 'parameters', 'name', 'id', 'model', 'messages', 'stream', 'stream_options', 'max_tokens',
  'max_completion_tokens', 'system', 'thinking', 'reasoning_effort', 'reasoning_content', 'n', 'stop', 'stop_sequences', 'user', 'metadata',
  'temperature', 'top_p', 'image_url', 'source', 'cache_control', 'is_error', 'signature', 'error', 'length', 'parallel_tool_calls',
];

const HOSTILE_TEXTS = [
  'null', 'true', 'false', '0', '-0', '-1', '1', '2', '0.1', '1.0', '1e0', '1e3', '1e308', '1e309', '-1e400', '5e-324', '1e-400', '9007199254740991',
  '9007199254740993', '123456789012345678901234567890', '2147483648', '4294967296', '-9223372036854775809', '""', '" "', '"\\u0000"', '"\\ud800"',
  '"\\udc00\\ud800"', '"\\uFEFF"', '"\\u2028"', '"\u{1F600}"', '"\u202e"', '"[DONE]"', '"data: x\\n\\n"', '"\\r\\n"', '"__proto__"', '"constructor"',
  '"user"', '"assistant"', '"system"', '"developer"', '"tool"', '"function"', '"text"', '"image"', '"image_url"', '"tool_use"', '"tool_result"',
  '"thinking"', '"redacted_thinking"', '"any"', '"auto"', '"none"', '"required"', '"enabled"', '"disabled"', '"adaptive"', '"max"', '"json_schema"',
  '"http://"', '"https://example.test/a.png"', '"data:image/png;base64,AAAA"', '"data:,"', '"data:image/png;base64,"', '"data:;base64,%%%"', '"file:///etc/passwd"',
  '"{}"', '"{\\"a\\":1"', '"NaN"', '"x-anthropic-billing-header"', '"x-anthropic-billing-header: a\\n"', '[]', '{}', '[[]]', '[{}]', '[null]', '{"":null}',
  '{"__proto__":{"type":"text"}}', '{"type":"__proto__"}', '{"type":"constructor"}', '{"type":"text"}', '{"type":"text","text":null}', '[1,"a",null,{}]',
  '"gpt-\\u0000"', '"gpt-\\ud800"', '"gpt-"', '"gpt-\u{1F600}"', `"gpt-${'x'.repeat(251)}"`, `"gpt-${'x'.repeat(253)}"`,
  // These texts are not valid JSON.
  '', 'NaN', 'Infinity', 'undefined', '01', '+1', '.5', '1.', '0x10', '\'a\'', '"\\x"', '"\t"', '"\\u12"', '//', '/**/1', '{a:1}', '[1,]', '{"a":1,}', '{"a"}',
];

const at = fc.nat({ max: 10_000 });
const key = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...HOSTILE_KEYS) }, { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }) });
const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.double().map(String) },
);
const times = fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 2, max: 5 }) }, { weight: 1, arbitrary: fc.constantFrom(16, 17, 128, 129, 200, 201, 1_000) });
const levels = fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 70 }) }, { weight: 1, arbitrary: fc.constantFrom(1_000, 100_000) });
const length = fc.oneof(
  { weight: 40, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 10, arbitrary: fc.constantFrom(256, 257, 4_096, 4_097) },
  { weight: 2, arbitrary: fc.constantFrom(50_000, 100_000) },
  { weight: 1, arbitrary: fc.constantFrom(1_000_000, 1_000_001, 2_200_000) },
);

export const jsonMutation: fc.Arbitrary<JsonMutation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('replace'), at, text }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete'), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat'), at, times }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('copy'), from: at, at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wrap'), at, in: fc.constantFrom('list', 'object') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('nest'), at, levels }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add-member'), at, key, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename'), at, member: at, key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lengthen'), at, characters: fc.constantFrom('a', ' ', '\u4E2D', '\u{1F600}', '\0', '"', '\uD800', '[[', '\n'), length }) },
) as fc.Arbitrary<JsonMutation>;

function renamed(tree: JsonTree, number: number, name: string): JsonTree {
  if (tree.kind !== 'object' || tree.members.length === 0) return tree;
  const chosen = number % tree.members.length;
  return { kind: 'object', members: tree.members.map(([before, value], position): Member => [position === chosen ? name : before, value]) };
}

function withMember(tree: JsonTree, name: string, value: JsonTree): JsonTree {
  return tree.kind === 'object' ? { kind: 'object', members: [...tree.members, [name, value]] } : { kind: 'object', members: [[name, value]] };
}

/** Bodies with more values are always refused. */
const MAX_TREE = 20_000;

export function mutated(tree: JsonTree, mutation: JsonMutation): JsonTree {
  const size = sizeOf(tree);
  const place = mutation.at % size;
  if (size > MAX_TREE) return tree;
  return withValueAt(tree, place, (value) => {
    switch (mutation.kind) {
      case 'replace': return [leaf(mutation.text)];
      case 'delete': return [];
      case 'repeat': return Array.from({ length: mutation.times }, () => value);
      case 'copy': return [valueAt(tree, mutation.from % size)];
      case 'wrap': return [mutation.in === 'list' ? { kind: 'list', items: [value] } : { kind: 'object', members: [['value', value]] }];
      case 'nest': return [leaf(`${'['.repeat(mutation.levels)}${']'.repeat(mutation.levels)}`)];
      case 'add-member': return [withMember(value, mutation.key, leaf(mutation.text))];
      case 'rename': return [renamed(value, mutation.member, mutation.key)];
      case 'lengthen': return [leaf(JSON.stringify(mutation.characters.repeat(mutation.length)))];
    }
  });
}
