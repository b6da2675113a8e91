import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import type { JsonObject } from '@tollgate/core';
import { checkChatStream } from '@tollgate/testkit';
import { CHAT } from '../acceptance/support/formats.js';
import { chatExtras } from '../clients/support/requests.js';
import { SCENARIOS } from '../clients/support/scenarios.js';
import { UPSTREAM_KINDS } from '../clients/support/upstream-kinds.js';
import { WireWorld } from '../clients/support/wire-world.js';
import { CHAT_COMPLETION, CHAT_COMPLETION_CHUNK } from './chat-schemas.js';

const ajv = new Ajv({ allErrors: true });
const whole = ajv.compile(CHAT_COMPLETION);
const chunk = ajv.compile(CHAT_COMPLETION_CHUNK);

/** Violations of the schema, each with its path. */
function faultsOf(validate: typeof whole, value: unknown): readonly string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`);
}

describe.each(UPSTREAM_KINDS)('over an upstream of the kind $kind,', ({ definition, behaviour }) => {
  let world: WireWorld;

  beforeAll(async () => {
    world = await WireWorld.start({ models: SCENARIOS.map(({ name }) => name), definition });
    for (const scenario of SCENARIOS) world.upstream.always(scenario.name, behaviour(scenario));
  });

  afterAll(() => world.close());

  const ask = (name: string, fields: JsonObject): Promise<Response> => world.gateway.post(CHAT.path, CHAT.body(name, 'Go on.', fields));

  // A reply that fails before the first piece is an error, not a stream.
  it.each(SCENARIOS.filter(({ breaksAfterPieces }) => breaksAfterPieces !== 0))('every chunk of $name fits the public schema', async (scenario) => {
    const reply = await ask(scenario.name, { ...chatExtras(scenario), stream: true });
    const { chunks } = checkChatStream(await reply.text());
    expect(chunks.flatMap((sent) => faultsOf(chunk, sent))).toEqual([]);
    expect(chunks.length).toBeGreaterThan(2);
  });

  it.each(SCENARIOS.filter(({ breaksAfterPieces }) => breaksAfterPieces === null))('the whole reply of $name fits the public schema', async (scenario) => {
    const reply = await ask(scenario.name, chatExtras(scenario));
    expect(faultsOf(whole, await reply.json())).toEqual([]);
  });

  it.each(['id', 'object', 'created', 'model', 'choices', 'choices[0].index', 'choices[0].message', 'choices[0].logprobs', 'choices[0].finish_reason'])(
    'the schema detects that a whole reply lacks %s', async (path) => {
      const reply = (await (await ask('text', {})).json()) as JsonObject;
      expect(faultsOf(whole, without(reply, path))).toHaveLength(1);
    },
  );
});

/** The reply without the field at the path, which is a field of the reply or of `choices[0]`. */
function without(reply: JsonObject, path: string): JsonObject {
  const key = path.replace('choices[0].', '');
  const copy = structuredClone(reply) as Record<string, unknown>;
  const holder = key === path ? copy : (copy['choices'] as Record<string, unknown>[])[0];
  if (holder !== undefined) Reflect.deleteProperty(holder, key);
  return copy as JsonObject;
}
