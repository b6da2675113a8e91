import type { JsonObject } from '@tollgate/core';
import type { ScriptedToolCall } from '@tollgate/testkit';

/** What a client asks for, the model's reply in pieces, and its usage. */
export interface Scenario {
  readonly name: string;
  readonly text: readonly string[];
  readonly reasoning: readonly string[];
  readonly toolCalls: readonly ScriptedToolCall[];
  readonly toolCallOrder: 'sequential' | 'interleaved';
  readonly usage: ScenarioUsage;
  /** Ignored by clients whose format cannot ask for JSON. */
  readonly asksForJson: boolean;
  readonly offersTools: boolean;
  readonly asksForReasoning: boolean;
  /** Number of pieces before an error: 0 for a refusal, `null` for no error. */
  readonly breaksAfterPieces: number | null;
}

/** `prompt` includes cached tokens, `output` includes reasoning tokens. */
export interface ScenarioUsage {
  readonly prompt: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Usage of all scenarios except the one that reasons. */
export const USAGE: ScenarioUsage = { prompt: 31, cached: 16, output: 17, reasoning: 0 };

const PLAIN: Scenario = {
  name: 'text',
  text: ['Grüße', ' – ', '"quoted"\n', 'a a ', 'a a ', '👩‍👩‍', '👧 end'],
  reasoning: [],
  toolCalls: [],
  toolCallOrder: 'sequential',
  usage: USAGE,
  asksForJson: false,
  offersTools: false,
  asksForReasoning: false,
  breaksAfterPieces: null,
};

const WEATHER_CALL: ScriptedToolCall = { id: 'call_w1', name: 'weather', arguments: ['{"city"', ':"São ', 'Paulo","days"', ':3}'] };
const SECOND_CALL: ScriptedToolCall = { id: 'call_w2', name: 'weather', arguments: ['{"city":', '"京都 \\"K\\""', '}'] };
const CLOCK_CALL: ScriptedToolCall = { id: 'call_c1', name: 'clock', arguments: [] };

const TOOLS: Scenario = { ...PLAIN, text: [], offersTools: true };

export const SCENARIOS: readonly Scenario[] = [
  PLAIN,
  { ...PLAIN, name: 'reasoning', reasoning: ['First ', 'this, ', 'then that.'], usage: { ...USAGE, reasoning: 9 }, asksForReasoning: true },
  { ...TOOLS, name: 'one tool', text: ['Let me ', 'see.'], toolCalls: [WEATHER_CALL] },
  { ...TOOLS, name: 'two parallel tools', toolCalls: [WEATHER_CALL, SECOND_CALL], toolCallOrder: 'interleaved' },
  { ...TOOLS, name: 'tool without arguments', toolCalls: [CLOCK_CALL] },
  { ...PLAIN, name: 'JSON mode', text: ['{"city"', ': "Zürich", ', '"open": [true', ', null]}'], asksForJson: true },
  { ...PLAIN, name: 'error before the first piece', breaksAfterPieces: 0 },
  { ...PLAIN, name: 'error mid-stream', breaksAfterPieces: 3 },
];

export const AFTER_REFUSAL: Scenario = { ...PLAIN, name: '429 then success' };

/** A tool; its parameters are a JSON schema. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject & { readonly type: 'object' };
}

export const OFFERED_TOOLS: readonly OfferedTool[] = [
  {
    name: 'weather',
    description: 'The weather of a city.',
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
  { name: 'clock', description: 'What time it is.', schema: { type: 'object', properties: {}, additionalProperties: false } },
];
