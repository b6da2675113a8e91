import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { type ModelSlug, ProviderFailure, SYSTEM_ACTOR } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function bindTo(...models: readonly string[]): Promise<void> {
  const { account, keyId } = gateway.caller;
  await gateway.gateway.keyManagement.change({ accountId: account.id, keyId, change: { models: new Set(models as readonly ModelSlug[]) }, actor: SYSTEM_ACTOR });
}

function get(path: string) {
  return request(gateway.url).get(path).set('x-api-key', gateway.caller.key);
}

function chat(model: string) {
  return request(gateway.url).post('/v1/chat/completions').set('x-api-key', gateway.caller.key).send({ model, messages: [{ role: 'user', content: 'Hi' }] });
}

it('a key that is limited to some models may use only those that are also in the plan', async () => {
  await bindTo('small', 'other-plan');
  expect((await get('/v1/models')).body.data.map(({ id }: { id: string }) => id)).toEqual(['small']);
  expect((await get('/v1/models/mini')).status).toBe(200);
  expect((await chat('mini')).status).toBe(200);
  for (const { status, body } of [await get('/v1/models/backed-up'), await chat('backed-up')]) {
    expect([status, body.error]).toMatchObject([403, { code: 'model_not_in_key', message: 'This API key may not use the model backed-up.', param: 'model' }]);
  }
});

it('a request does not fall back to a model that its key may not use', async () => {
  await bindTo('backed-up');
  gateway.provider.script('backed-up', { refuses: new ProviderFailure('unavailable', 'down'), steps: [] });
  const { status, body } = await chat('backed-up');
  expect([status, body.error.code]).toEqual([503, 'provider_unavailable']);
  await bindTo('backed-up', 'small');
  expect((await chat('backed-up')).body.model).toBe('small');
});

it('a rotated key keeps its models', async () => {
  await bindTo('small');
  const { account, keyId } = gateway.caller;
  const rotated = await gateway.gateway.keyManagement.rotate({ accountId: account.id, keyId, actor: SYSTEM_ACTOR });
  if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
  expect(rotated.issued.key.models).toEqual(new Set(['small']));
  const listed = await get('/v1/models').set('x-api-key', rotated.issued.secret.reveal());
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual(['small']);
});
