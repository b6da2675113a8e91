import { type ModelTrial, tryModel } from '@tollgate/adapters-upstream';
import { type Catalogue, GatewayError, MILLISECONDS_PER_SECOND, type Model, rfc3339, type UpstreamDefinition, type UpstreamTarget } from '@tollgate/core';
import { type BodyOf, contract, type ReplyOf } from '@tollgate/api-contract';
import { timeOrNull } from '@tollgate/wire-kit';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { invalidField } from '../call/read-fields.js';
import { unknownAddress } from '../call/unknown-address.js';

export function upstreamEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { operations: { upstreams, ids }, auditTrail, catalogue, clock } = ports;
  const underTest = new Set<string>();
  return [
    endpoint(contract.listUpstreams)(async () => (
      { object: 'list', data: upstreams.definitions().map((definition) => encodeUpstream(definition, ports)), has_more: false })),
    endpoint(contract.testUpstream)(async ({ params: { id }, body, call }) => {
      const definition = upstreams.definitions().find((each) => each.id === id);
      if (definition === undefined) throw unknownAddress();
      const served = chosenModel(id, body, catalogue.current());
      if (underTest.has(id)) throw new GatewayError('conflict', 'A test of this upstream is already running.');
      underTest.add(id);
      try {
        await auditTrail.append({ actor: actorOf(call, 'operator'), at: clock.now(), action: 'upstream.tested', subject: id, accountId: null, details: { model: served.model.slug } });
        return encodeTest(served, await tryModel(withShortTimeouts(definition), served, { clock, ids }));
      } finally {
        underTest.delete(id);
      }
    }),
  ];
}

type EncodedUpstream = ReplyOf<typeof contract.listUpstreams>['data'][number];
type EncodedTest = ReplyOf<typeof contract.testUpstream>;

/** Maximum duration of an upstream's answer to a test. */
const TEST_MILLISECONDS = 10 * MILLISECONDS_PER_SECOND;

interface Served {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

function servedBy(upstreamId: string, { models }: Catalogue): readonly Served[] {
  return models.flatMap((model) => model.targets.filter((target) => target.upstreamId === upstreamId).map((target) => ({ model, target })));
}

/** The address without its query, which may contain a secret. */
function addressOf(definition: UpstreamDefinition): string | null {
  if (definition.kind === 'sandbox') return null;
  const { origin, pathname } = new URL(definition.baseUrl);
  return `${origin}${pathname}`;
}

function encodeUpstream(definition: UpstreamDefinition, { operations: { upstreams }, catalogue }: DashboardPorts): EncodedUpstream {
  const { id, kind } = definition;
  const open = new Set(upstreams.circuits().filter(({ upstreamId, state }) => upstreamId === id && state === 'open').map(({ upstreamModel }) => upstreamModel));
  const models = servedBy(id, catalogue.current()).map(({ model, target: { upstreamModel } }) => {
    const { answers, failures, lastAnswerAt, lastFailure, failingSince, firstToken } = upstreams.health.of(id, upstreamModel);
    const state = failingSince !== null ? 'failing' : lastAnswerAt === null ? 'untried' : 'answering';
    return {
      model: model.slug, upstream_model: upstreamModel, circuit: open.has(upstreamModel) ? 'open' : 'closed', state, failing_since: timeOrNull(failingSince), answers, failures, last_success_at: timeOrNull(lastAnswerAt),
      last_failure: lastFailure === null ? null : { reason: lastFailure.reason, at: rfc3339(lastFailure.at) }, first_token_ms: firstToken,
    } as const;
  });
  return { id, object: 'upstream', kind, base_url: addressOf(definition), models };
}

/** The definition with shorter timeouts, for an interactive test. */
function withShortTimeouts(definition: UpstreamDefinition): UpstreamDefinition {
  if (definition.kind === 'sandbox') return definition;
  const timeouts = {
    connectMilliseconds: TEST_MILLISECONDS, firstByteMilliseconds: TEST_MILLISECONDS, firstOutputMilliseconds: TEST_MILLISECONDS,
    silenceMilliseconds: TEST_MILLISECONDS, wholeMilliseconds: TEST_MILLISECONDS,
  };
  return { ...definition, options: { ...definition.options, timeouts } } as UpstreamDefinition;
}

function encodeTest({ model, target }: Served, trial: ModelTrial): EncodedTest {
  const served = { object: 'upstream_test', upstream: target.upstreamId, model: model.slug, upstream_model: target.upstreamModel } as const;
  if (trial.outcome === 'answered') return { ...served, outcome: 'answered', milliseconds: trial.milliseconds, reason: null, message: null };
  return { ...served, outcome: 'failed', milliseconds: null, reason: trial.failure.reason, message: trial.failure.message };
}

function chosenModel(upstreamId: string, { model: name }: BodyOf<typeof contract.testUpstream>, catalogue: Catalogue): Served {
  const served = servedBy(upstreamId, catalogue).find(({ model, target }) =>
    name === null || model.slug === name || model.aliases.includes(name) || target.upstreamModel === name);
  if (served === undefined) throw invalidField('model', name === null ? 'the catalogue has no model at this upstream' : 'the catalogue has no such model at this upstream');
  return served;
}
