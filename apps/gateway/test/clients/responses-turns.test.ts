import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createOpenAI } from '@ai-sdk/openai';
import { type AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, type ModelMessage, streamText, tool } from 'ai';
import { checkResponsesStream, replies } from '@tollgate/testkit';
import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { StreamRecorder } from '../acceptance/support/stream-recorder.js';
import type { OpenaiConstructor } from './support/openai-client.js';
import { PrintedWarnings } from './support/printed-warnings.js';
import { CHAT_TOOLS, RESPONSES_TOOLS } from './support/requests.js';
import { conversationOf } from './support/sent-conversation.js';
import { OFFERED_TOOLS } from './support/scenarios.js';
import { UPSTREAM_KINDS } from './support/upstream-kinds.js';
import { WireWorld } from './support/wire-world.js';

const MODEL = 'model';
const CALL = { id: 'call_w1', name: 'weather', arguments: '{"city":"Zürich"}' };
const CLOCK = { id: 'call_c1', name: 'clock', arguments: '{}' };

const QUESTIONS = ['How warm is it, and when?', 'And tomorrow?'] as const;
const RESULTS: Readonly<Record<string, string>> = { [CALL.id]: '18 degrees', [CLOCK.id]: 'noon' };

/** Replies of the upstream: calls after reasoning, then a text with reasoning, then a text alone. */
const TURNS = [
  { reasoning: ['I must ', 'look.'], reasoningSignature: 'signed-1', text: ['Let me ', 'see.'], toolCalls: [CALL, CLOCK] },
  { reasoning: ['That is warm.'], reasoningSignature: 'signed-2', text: ['18 degrees ', 'at noon.'] },
  { text: ['I do not ', 'know.'] },
] as const;
const ANSWERS = TURNS.map(({ text }) => text.join(''));

const FIRST_TURN = [`user: ${QUESTIONS[0]}`, 'reasoning: I must look.', 'assistant: Let me see.', `call: weather ${CALL.arguments}`, 'call: clock {}', 'result: 18 degrees', 'result: noon'];
const WITH_REASONING = [...FIRST_TURN, 'reasoning: That is warm.', 'assistant: 18 degrees at noon.', `user: ${QUESTIONS[1]}`];

describe.each(UPSTREAM_KINDS)('a conversation of three turns over an upstream of the kind $kind', ({ definition }) => {
  const printed = new PrintedWarnings();
  const recorder = new StreamRecorder();
  let world: WireWorld;
  let bodies: string[] = [];

  /** A `fetch` that also records the client's requests. */
  const listening: typeof fetch = (input, init) => {
    bodies.push(typeof init?.body === 'string' ? init.body : '');
    return recorder.fetch(input, init);
  };

  const sentLast = (): readonly string[] => {
    const last = world.upstream.requests.at(-1);
    if (last === undefined) throw new Error('nothing was sent');
    return conversationOf(last);
  };

  beforeEach(async () => {
    printed.start();
    bodies = [];
    world = await WireWorld.start({ models: [MODEL], definition });
    world.upstream.script(MODEL, ...TURNS.map((reply) => replies(reply)));
  });

  afterEach(async () => {
    recorder.check(checkResponsesStream);
    await world.close();
    const heard = await printed.take();
    printed.stop();
    if (heard.length > 0) throw new Error(`printed: ${heard.join('; ')}`);
  });

  const aiTools = Object.fromEntries(OFFERED_TOOLS.map(({ name, description, schema }) => [
    name, tool({ description, inputSchema: jsonSchema(schema), execute: (_input, { toolCallId }) => RESULTS[toolCallId] ?? '' }),
  ]));

  describe.each(['whole', 'streamed'] as const)('with the AI SDK, %s', (delivery) => {
    async function converse(openai: Readonly<Record<string, boolean | string>>): Promise<readonly string[]> {
      const messages: ModelMessage[] = [];
      const answers: string[] = [];
      const warnings: unknown[] = [];
      const model = createOpenAI({ baseURL: `${world.url}/v1`, apiKey: world.gateway.caller.key, fetch: listening })(MODEL);
      for (const question of QUESTIONS) {
        messages.push({ role: 'user', content: question });
        const options = { model, messages, tools: aiTools, maxRetries: 0, stopWhen: ({ steps }: { readonly steps: readonly unknown[] }) => steps.length === 2, providerOptions: { openai } };
        const result = delivery === 'whole' ? await generateText(options) : streamText(options);
        for (const step of await result.steps) {
          answers.push(step.text);
          warnings.push(...step.warnings ?? []);
        }
        messages.push(...(await result.response).messages);
      }
      if (warnings.length > 0) throw new Error(JSON.stringify(warnings));
      return answers;
    }

    it('refers to earlier items, as the client does by default', async () => {
      expect(await converse({})).toEqual(ANSWERS);
      expect(bodies.at(-1)).toContain('"type":"item_reference"');
      expect(bodies.at(-1)).not.toContain(ANSWERS[1]);
      expect(sentLast()).toEqual(WITH_REASONING);
    });

    it('refers to earlier items with a reasoning model, too', async () => {
      expect(await converse({ forceReasoning: true, reasoningEffort: 'high', reasoningSummary: 'auto' })).toEqual(ANSWERS);
      expect(bodies.at(-1)).toContain('"type":"item_reference"');
      expect(sentLast()).toEqual(WITH_REASONING);
    });

    it('repeats earlier items in full if the client asks the gateway to store nothing', async () => {
      expect(await converse({ store: false, forceReasoning: true, reasoningEffort: 'high', reasoningSummary: 'auto' })).toEqual(ANSWERS);
      expect(bodies.join('')).not.toContain('item_reference');
      expect(bodies.at(-1)).toContain('"encrypted_content":"');
      expect(sentLast()).toEqual(WITH_REASONING);
    });
  });

  describe.each([['6.49', OpenAI6 as unknown as OpenaiConstructor], ['7.59', OpenAI]] as const)('with openai %s', (_version, Openai) => {
    const ask = (client: OpenAI, delivery: 'whole' | 'streamed', params: { input: ResponseInputItem[]; previous_response_id?: string | null; store?: boolean }) => {
      const all = { model: MODEL, tools: RESPONSES_TOOLS, ...params };
      return delivery === 'whole' ? client.responses.create(all) : client.responses.stream(all).finalResponse();
    };
    const connect = (): OpenAI => new Openai({ baseURL: `${world.url}/v1`, apiKey: world.gateway.caller.key, maxRetries: 0, fetch: listening });
    const resultsOf = ({ output }: OpenAI.Responses.Response): ResponseInputItem[] => output.flatMap((item) => (
      item.type === 'function_call' ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: RESULTS[item.call_id] ?? '' }] : []
    ));
    const userSays = (content: string): ResponseInputItem => ({ role: 'user', content });

    it.each(['whole', 'streamed'] as const)('continues by the id of the previous response (%s)', async (delivery) => {
      const client = connect();
      const first = await ask(client, delivery, { input: [userSays(QUESTIONS[0])] });
      const second = await ask(client, delivery, { input: resultsOf(first), previous_response_id: first.id });
      const third = await ask(client, delivery, { input: [userSays(QUESTIONS[1])], previous_response_id: second.id });
      expect([first, second, third].map((response) => response.output_text)).toEqual(ANSWERS);
      expect(sentLast()).toEqual(WITH_REASONING);
    });

    it.each(['whole', 'streamed'] as const)('continues with the items that the client received (%s)', async (delivery) => {
      const client = connect();
      const input: ResponseInputItem[] = [userSays(QUESTIONS[0])];
      for (const question of [null, QUESTIONS[1]]) {
        const response = await ask(client, delivery, { input, store: false });
        input.push(...response.output as ResponseInputItem[], ...resultsOf(response), ...(question === null ? [] : [userSays(question)]));
      }
      expect((await ask(client, delivery, { input, store: false })).output_text).toBe(ANSWERS[2]);
      expect(sentLast()).toEqual(WITH_REASONING);
    });
  });

  it.each(['whole', 'streamed'] as const)('reaches the model completely with LangChain (%s)', async (delivery) => {
    const model = new ChatOpenAI({
      model: MODEL, apiKey: world.gateway.caller.key, maxRetries: 0, useResponsesApi: true, configuration: { baseURL: `${world.url}/v1`, fetch: listening },
    }).bindTools(CHAT_TOOLS);
    const messages: BaseMessage[] = [new HumanMessage(QUESTIONS[0])];
    const answers: string[] = [];
    for (const question of [null, QUESTIONS[1], '']) {
      const answer = delivery === 'whole' ? await model.invoke(messages) : await added(await model.stream(messages));
      answers.push(answer.text);
      if (question === '') break;
      messages.push(answer, ...(answer.tool_calls ?? []).map(({ id = '' }) => new ToolMessage({ tool_call_id: id, content: RESULTS[id] ?? '' })));
      if (question !== null) messages.push(new HumanMessage(question));
    }
    expect(answers).toEqual(ANSWERS);
    expect(sentLast()).toEqual(WITH_REASONING);
  });
});

async function added(chunks: AsyncIterable<{ concat: (more: never) => unknown }>): Promise<AIMessage> {
  let sum: unknown = null;
  for await (const chunk of chunks) sum = sum === null ? chunk : (sum as typeof chunk).concat(chunk as never);
  return sum as AIMessage;
}
