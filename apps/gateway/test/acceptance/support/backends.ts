import type { JsonObject } from '@tollgate/core';
import { answersStatus, type Behaviour, breaksAfter, type RecordedRequest, replies, type ScriptedToolCall, type ScriptedUpstream } from '@tollgate/testkit';
import { AcceptanceWorld } from './acceptance-world.js';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from './scripted-catalogue.js';

/** The parameters permit one value only, so that every model generates the same arguments. */
export const WEATHER = { name: 'get_weather', schema: { type: 'object', properties: { city: { type: 'string', enum: ['Paris'] } }, required: ['city'] } } as const;
export const TIME = { name: 'get_time', schema: { type: 'object', properties: { zone: { type: 'string', enum: ['UTC'] } }, required: ['zone'] } } as const;

/** Prompts with triggers that both the sandbox and the scripted upstream obey. */
export const PROMPTS = {
  text: 'Say something. [[tokens:40]]',
  tools: 'What is the weather and the time? [[tools:2]]',
  reasoning: 'Think first. [[reasoning:6]] [[tokens:12]]',
  failsBefore: 'Fail. [[fail:everywhere]]',
  failsMidway: 'Fail. [[tokens:40]] [[fail:middle]]',
} as const;

const CALLS: readonly ScriptedToolCall[] = [
  { id: 'call_weather', name: WEATHER.name, arguments: ['{"ci', 'ty":', '"Paris"}'] },
  { id: 'call_time', name: TIME.name, arguments: ['{"zone"', ':"UTC"}'] },
];

function contentOf(message: JsonObject | undefined): string {
  const content = message?.['content'];
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

/** Obeys the triggers in a prompt, as the sandbox does. */
function obeysTriggers(request: RecordedRequest): ReturnType<Behaviour> {
  const messages = (request.body['messages'] ?? []) as readonly JsonObject[];
  const results = messages.filter(({ role }) => role === 'tool');
  const last = contentOf(messages.at(-1));
  if (messages.at(-1)?.['role'] === 'tool') return replies({ text: ['The tools answered: ', ...results.map((result) => `${contentOf(result)}; `)] })(request);
  if (last.includes('[[fail:everywhere]]')) return answersStatus(500)(request);
  if (last.includes('[[fail:middle]]')) return breaksAfter(3, 'end')(request);
  if (last.includes('[[tools:2]]')) return replies({ toolCalls: CALLS, toolCallOrder: 'interleaved' })(request);
  if (last.includes('[[reasoning:6]]')) return replies({ reasoning: ['Let me ', 'think.'], text: ['So ', 'be it.'] })(request);
  return replies({ text: ['Something, ', 'said in ', 'pieces: “日本” 🙂'] })(request);
}

/** What generates the replies. All backends offer the same models. */
export interface Backend {
  readonly name: string;
  readonly upstream: (scripted: ScriptedUpstream) => JsonObject;
}

export const BACKENDS: readonly Backend[] = [
  { name: 'the sandbox', upstream: () => ({ kind: 'sandbox' }) },
  { name: 'a scripted upstream', upstream: (scripted) => scriptedEntry(scripted) },
];

/** Starts a world whose first account may use every model except `other-plan`. */
export async function startOn({ upstream }: Backend): Promise<AcceptanceWorld> {
  const entry = (slug: string, more: JsonObject = {}): readonly [string, JsonObject] => [slug, modelEntry(slug, { upstream: 'main', more })];
  const world = await AcceptanceWorld.start({
    catalogue: (scripted) => catalogueFile(
      { main: upstream(scripted) },
      Object.fromEntries([
        entry('plain', { aliases: ['claude-plain-*', 'gpt-plain'], display_name: 'Plain' }),
        entry('thinker', { reasoning: true }),
        entry('narrow', { context_window: 64, max_output_tokens: 32 }),
        entry('other-plan'),
      ]),
      {
        'ample': { ...AMPLE_PLAN, excluded_models: ['other-plan'] },
        'one-request': { ...AMPLE_PLAN, requests_per_minute: 1 },
        'few-tokens': { ...AMPLE_PLAN, tokens_per_minute: 10 },
        'tiny-day': { ...AMPLE_PLAN, tokens_per_day: 10 },
      },
    ),
    planId: 'ample',
  });
  world.upstream.always('*', obeysTriggers);
  return world;
}
