import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { StrictVendor, type VendorFormat } from '@tollgate/testkit/programs';
import * as fc from 'fast-check';
import { CLIENT_FORMATS, type ClientFormat, type Kind, KINDS, UpstreamWorld } from '../support/upstream-world.js';
import { runsOf } from './support/runs.js';

/** A part of a turn. Parts come in any order, in one message or several. */
type Part = { readonly text: string } | { readonly thought: string; readonly signature: string | null } | { readonly id: string; readonly name: string };
type Step =
  | { readonly role: 'user' | 'system'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly Part[]; readonly isSplit: boolean; readonly between: string | null; readonly before: string | null; readonly answers: 'all' | 'none' | 'some' | 'other' };

const VENDORS: Readonly<Record<Kind, VendorFormat>> = { openai: 'chat', anthropic: 'messages', responses: 'responses' };
const TOOLS = ['look', 'weather.forecast/v2', `mcp__${'knowledge_base_'.repeat(6)}`, 'look'];

const isCall = (part: Part): part is Extract<Part, { readonly id: string }> => 'id' in part;

/** Ids of the calls that get results. An interrupted agent answers some; one that dropped old turns also answers a missing call. */
function answersOf({ parts, answers }: Extract<Step, { readonly role: 'assistant' }>): readonly string[] {
  const ids = parts.filter(isCall).map(({ id }) => id);
  if (answers === 'none') return [];
  return answers === 'some' ? ids.slice(1) : answers === 'other' ? [...ids, 'gone'] : ids;
}

const isThought = (part: Part): part is Extract<Part, { readonly thought: string }> => 'thought' in part;

const words: fc.Arbitrary<string> = fc.constantFrom('Hm.', 'Let me look. ', ' \n', '', 'Zürich \u{1f600}\n', '\t');
const call = fc.record({ id: fc.constantFrom('c1', 'functions.look:0', `call_${'x'.repeat(80)}`, 'c2'), name: fc.constantFrom(...TOOLS, 'gone') });
/** Thinking whose signature is foreign or truncated. */
const thought: fc.Arbitrary<Part> = fc.record({
  thought: words, signature: fc.constantFrom('c2lnbmVk', 'tollgate.encrypted-reasoning.abc', 'tollgate.reasoning-details.[{"type":"reasoning.text","text":"Hm."}]', 'tollgate.call-extra.{"google":{"thought_signature":"abc"}}', null),
});
const told: fc.Arbitrary<Step> = fc.record({ role: fc.constantFrom('user' as const, 'system' as const), text: words });
const answeredWith = (anyPart: fc.Arbitrary<Part>): fc.Arbitrary<Step> => fc.record({
  role: fc.constant('assistant' as const),
  parts: fc.array(anyPart, { maxLength: 4 })
    .map((parts) => parts.filter((part, at) => !isCall(part) || !parts.slice(0, at).some((other) => isCall(other) && other.id === part.id))),
  isSplit: fc.boolean(), between: fc.option<string>(words, { nil: null }), before: fc.option<string>(words, { nil: null }),
  answers: fc.constantFrom('all' as const, 'all' as const, 'none' as const, 'some' as const, 'other' as const),
});
const spoken = fc.oneof(words.map((text): Part => ({ text })), call);
const historyOf = (anyPart: fc.Arbitrary<Part>) => fc.array(fc.oneof(told, answeredWith(anyPart), answeredWith(anyPart)), { maxLength: 7 })
  .map((steps): readonly Step[] => [{ role: 'user', text: 'Begin.' }, ...steps]);

/** Writes steps in a format, with reminders before and between results, as agents add them. */
const WRITERS: Readonly<Record<ClientFormat, (steps: readonly Step[]) => JsonObject>> = {
  chat: (steps) => ({
    tools: TOOLS.map((name) => ({ type: 'function', function: { name } })),
    messages: steps.flatMap((step): readonly JsonObject[] => {
      if (step.role !== 'assistant') return [{ role: step.role, content: step.text }];
      const groups = step.isSplit ? step.parts.map((part) => [part]) : [step.parts];
      const said = groups.map((parts): JsonObject => {
        const calls = parts.filter(isCall).map(({ id, name }) => ({ id, type: 'function', function: { name, arguments: '{}' } }));
        const thoughts = parts.filter(isThought);
        return {
          role: 'assistant', content: parts.map((part) => ('text' in part ? part.text : '')).join(''), ...(calls.length === 0 ? {} : { tool_calls: calls }),
          ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.map((part) => part.thought).join(''), reasoning_details: thoughts.map((part) => ({ type: 'reasoning.text', text: part.thought })) }),
        };
      });
      const results = answersOf(step).map((id) => ({ role: 'tool', tool_call_id: id, content: 'seen' }));
      const reminder = step.between === null || results.length < 2 ? [] : [{ role: 'system', content: step.between }];
      return [...said, ...results.slice(0, 1), ...reminder, ...results.slice(1)];
    }),
  }),
  messages: (steps) => ({
    tools: TOOLS.map((name) => ({ name, input_schema: {} })),
    messages: steps.flatMap((step): readonly JsonObject[] => {
      if (step.role !== 'assistant') return [{ role: step.role, content: step.text }];
      const blocks = step.parts.map((part): JsonObject => {
        if (isThought(part)) return part.signature === null ? { type: 'redacted_thinking', data: 'elsewhere' } : { type: 'thinking', thinking: part.thought, signature: part.signature };
        return isCall(part) ? { type: 'tool_use', id: part.id, name: part.name, input: {} } : { type: 'text', text: part.text };
      });
      const said = step.isSplit ? blocks.map((block) => ({ role: 'assistant', content: [block] })) : [{ role: 'assistant', content: blocks }];
      const results = answersOf(step).map((id): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'seen' }));
      if (results.length === 0) return said;
      const reminder = step.before === null ? [] : [{ type: 'text', text: step.before }];
      if (step.between === null || results.length < 2) return [...said, { role: 'user', content: [...reminder, ...results] }];
      return [...said, { role: 'user', content: [...reminder, ...results.slice(0, 1)] }, { role: 'system', content: step.between }, { role: 'user', content: results.slice(1) }];
    }),
  }),
  responses: (steps) => ({
    tools: TOOLS.map((name) => ({ type: 'function', name })),
    input: steps.flatMap((step): readonly JsonObject[] => {
      if (step.role !== 'assistant') return [{ role: step.role, content: step.text }];
      const said = step.parts.map((part): JsonObject => {
        if (isThought(part)) return { type: 'reasoning', summary: [{ type: 'summary_text', text: part.thought }], encrypted_content: part.signature };
        return isCall(part) ? { type: 'function_call', call_id: part.id, name: part.name, arguments: '{}' } : { role: 'assistant', content: part.text };
      });
      // The responses format refuses an output without a call.
      const results = answersOf(step).filter((id) => id !== 'gone').map((id): JsonObject => ({ type: 'function_call_output', call_id: id, output: 'seen' }));
      const reminder = step.between === null || results.length < 2 ? [] : [{ role: 'developer', content: step.between }];
      // The format also refuses two outputs with one id in a turn.
      return [...said, ...results.slice(0, 1), ...reminder, ...results.slice(1), ...(results.length === 0 ? [{ role: 'user', content: 'Stop.' }] : [])];
    }),
  }),
};

const THINKS: Readonly<Record<ClientFormat, JsonObject>> = {
  chat: { reasoning_effort: 'high' }, messages: { thinking: { type: 'enabled', budget_tokens: 2_000 } }, responses: { reasoning: { effort: 'high' } },
};

const RUNS = runsOf(25);

describe.each(KINDS)('an upstream of kind %s, as strict as its vendor,', (kind) => {
  let world: UpstreamWorld;
  let vendor: StrictVendor;
  beforeAll(async () => {
    world = await UpstreamWorld.start([{ kind, options: { attribution: 'sent', promptCacheKey: 'sent', cacheControl: 'sent', jsonSchema: 'schema' } }]);
  });
  afterAll(() => world.close());
  beforeEach(() => {
    vendor = new StrictVendor(VENDORS[kind]);
    world.upstream().always('*', vendor.answers(() => ({ text: 'So.' })));
  });

  it.each(CLIENT_FORMATS)('accepts every history of a client of the %s format', async (format) => {
    await fc.assert(fc.asyncProperty(historyOf(spoken), async (steps) => {
      const reply = await world.ask(format, { ...WRITERS[format](steps), ...(format === 'messages' ? {} : { reasoning: { effort: 'none' }, reasoning_effort: 'none' }) });
      expect(vendor.refusals).toEqual([]);
      expect(reply).toContain('So.');
    }), { numRuns: RUNS });
  });

  it.each(CLIENT_FORMATS)('accepts every history with unreadable thinking, after at most one refusal (%s)', async (format) => {
    await fc.assert(fc.asyncProperty(historyOf(fc.oneof(spoken, thought)), async (steps) => {
      const before = vendor.refusals.length;
      const reply = await world.ask(format, { ...WRITERS[format](steps), ...THINKS[format] });
      expect(vendor.refusals.length - before).toBeLessThanOrEqual(1);
      expect(reply).toContain('So.');
    }), { numRuns: RUNS });
  });
});
