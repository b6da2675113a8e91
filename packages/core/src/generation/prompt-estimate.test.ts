import { describe, expect, it } from '@jest/globals';
import { type GenerationRequest, type Model, type ModelSlug, OUTPUT_STEP_TOKENS, ProviderFailure, tokenCount } from '@tollgate/core';
import { AT_REST, GenerationWorld, readAll } from '../test-support/generation-world.js';
import { aModel, endStep, Gate, reported, textSteps } from '@tollgate/testkit';

/** The prompt `Hello` has 5 tokens, the schema 1,000. */
const OUTPUT_SCHEMA: GenerationRequest['outputSchema'] = { name: null, description: null, strict: null, schema: { value: {}, text: ' '.repeat(1000) } };
const WITH_SCHEMA: Partial<GenerationRequest> = { maxOutputTokens: tokenCount(100), responseFormat: 'json', outputSchema: OUTPUT_SCHEMA };
/** A document that is estimated at 3,000 tokens; the text that replaces it has 4 tokens. */
const WITH_DOCUMENT: Partial<GenerationRequest> = {
  maxOutputTokens: tokenCount(100),
  conversation: { system: [], turns: [{ role: 'user', content: [{
    type: 'text', text: 'left', document: { title: null, source: { kind: 'base64', mediaType: 'application/pdf', data: 'A'.repeat(133_333) } },
  }] }] },
};

/** The model `small` and a fallback. */
function models(first: Partial<Model>, second: Partial<Model>): readonly Model[] {
  const other = 'other' as ModelSlug;
  return [aModel({ fallbacks: [other], ...first }), aModel({ slug: other, ...second })];
}

/** Amount that a running request has reserved for its prompt: without the 200 service tokens for its output. */
async function setAside(world: GenerationWorld, request: Partial<GenerationRequest>): Promise<number> {
  const gate = new Gate();
  world.provider.script('small', { steps: [...textSteps('Hi').slice(0, 1), { type: 'wait', gate }] });
  const { events } = await world.generate({ request });
  const reserved = Number(await world.reserved());
  gate.open();
  await events.return();
  expect(await world.atRest()).toEqual(AT_REST);
  return reserved - 200;
}

describe('a prompt', () => {
  it.each<readonly [name: string, request: Partial<GenerationRequest>, first: Partial<Model>, second: Partial<Model>, prompt: number]>([
    ['with a schema that no candidate receives', WITH_SCHEMA, {}, {}, 5],
    ['with a schema that the requested model receives', WITH_SCHEMA, { readsSchemas: true }, {}, 1005],
    ['with a schema that only the fallback receives', WITH_SCHEMA, {}, { readsSchemas: true }, 1005],
    ['with a document that no candidate receives', WITH_DOCUMENT, {}, {}, 4],
    ['with a document that the requested model receives', WITH_DOCUMENT, { readsDocuments: true }, {}, 3004],
    ['with a document that only the fallback receives', WITH_DOCUMENT, {}, { readsDocuments: true }, 3004],
  ])('%s is reserved at its largest estimate among the candidates', async (_name, request, ...[first, second, prompt]) => {
    expect(await setAside(await GenerationWorld.create({ models: models(first, second) }), request)).toBe(prompt);
  });

  it.each<readonly [name: string, request: Partial<GenerationRequest>, second: Partial<Model>, prompt: number]>([
    ['a schema that the fallback receives', WITH_SCHEMA, { readsSchemas: true }, 1005],
    ['a schema that the fallback does not receive', WITH_SCHEMA, {}, 5],
    ['a document that the fallback receives', WITH_DOCUMENT, { readsDocuments: true }, 3004],
    ['a document that the fallback does not receive', WITH_DOCUMENT, {}, 4],
  ])('with %s is counted as sent to the serving fallback', async (_name, request, ...[second, prompt]) => {
    const world = await GenerationWorld.create({ models: models({ readsSchemas: true, readsDocuments: true }, second) });
    world.provider.script('small', { refuses: new ProviderFailure('unavailable', 'the upstream is down'), steps: [] });
    world.provider.script('other', { steps: [...textSteps('four'), endStep(null)] });
    await readAll(await world.generate({ request }));
    expect(await world.ending()).toEqual(['completed', 'counted', String(prompt + 2 * 4)]);
  });

  it('with a schema that only the serving fallback receives leaves less of the reservation for the output', async () => {
    const long: Partial<Model> = { maxOutputTokens: tokenCount(20_000) };
    const world = await GenerationWorld.create({ models: models(long, { ...long, readsSchemas: true }), balance: String(1005 + 2 * OUTPUT_STEP_TOKENS) });
    world.provider.script('small', { refuses: new ProviderFailure('unavailable', 'the upstream is down'), steps: [] });
    world.provider.script('other', { steps: [...textSteps('x'.repeat(OUTPUT_STEP_TOKENS), 'y'), endStep(null)] });
    const { text } = await readAll(await world.generate({ request: { ...WITH_SCHEMA, maxOutputTokens: null } }));
    expect(text).toBe('x'.repeat(OUTPUT_STEP_TOKENS));
    expect(await world.ending()).toEqual(['balance_exhausted', 'counted', String(1005 + 2 * OUTPUT_STEP_TOKENS)]);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('with a document is charged as reported by a fallback that receives the document', async () => {
    const world = await GenerationWorld.create({ models: models({}, { readsDocuments: true }) });
    world.provider.script('small', { refuses: new ProviderFailure('unavailable', 'the upstream is down'), steps: [] });
    world.provider.script('other', { steps: [...textSteps('four'), endStep(reported(60_000, 2))] });
    await readAll(await world.generate({ request: WITH_DOCUMENT }));
    expect(await world.ending()).toEqual(['completed', 'reported', '60004']);
  });
});
