import { contract, type ReplyOf } from '@tollgate/api-contract';
import { type DecodedRequest, type GenerationEstimate, isInPlan } from '@tollgate/core';
import { type GenerationHandler, overflowInWords } from '../../routes/generation/generation-handler.js';
import { actorOf, type DashboardCall, visitorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { encodeModel } from '@tollgate/wire-kit';

export function playgroundEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { chat, messages, responses } = ports.playground;
  return [
    endpoint(contract.playgroundChat)(({ call }) => generate(call, chat, ports)),
    endpoint(contract.playgroundMessages)(({ call }) => generate(call, messages, ports)),
    endpoint(contract.playgroundResponses)(({ call }) => generate(call, responses, ports)),
    endpoint(contract.countPlayground)(({ call, query }) => estimate(call, ports.playground[query.format], ports)),
  ];
}

/** Includes models outside the account's plan. */
export function modelEndpoints({ catalogue: source, clock }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listModels)(async ({ visitor: { account, plan } }) => {
      const catalogue = source.current().inForce(account.priceList, clock.now());
      const data = catalogue.models.map((model) => ({ ...encodeModel(model, catalogue), in_plan: isInPlan(model, plan) }));
      return { object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    }),
  ];
}

type Estimate = ReplyOf<typeof contract.countPlayground>;

/** Reads the body as `/v1` does. */
function readGeneration(call: DashboardCall, handler: GenerationHandler, { bodies }: DashboardPorts): Promise<DecodedRequest> {
  const accountId = visitorOf(call).account.id;
  return bodies.read(call.exchange, { accountId }, (body, { unbilled, signal }) => handler.decode(body, { accountId, unbilled, signal, body: body.room }));
}

/** Generates as `/v1` does, with the playground's key, which browsers never receive. */
async function generate(call: DashboardCall, handler: GenerationHandler, ports: DashboardPorts): Promise<void> {
  const { exchange } = call;
  const caller = await ports.playground.access.callerOf(visitorOf(call).account, actorOf(call, 'owner'));
  exchange.identify(caller);
  exchange.stateQuota();
  // Returned, not awaited: this frame must not retain the request while the reply is streamed.
  return readGeneration(call, handler, ports).then((decoded) => handler.handle(exchange, caller, { decoded, once: null }));
}

function encodeEstimate({ model, promptTokens, expectedOutputTokens, maxOutputTokens, reserved, isCovered }: GenerationEstimate): Estimate {
  return {
    object: 'playground_estimate', model: model.slug, prompt_tokens: promptTokens, expected_output_tokens: expectedOutputTokens, max_output_tokens: maxOutputTokens,
    reserved: { svc_tokens: reserved.amount.toString(), usd: reserved.usd.toString() }, covered: isCovered,
  };
}

async function estimate(call: DashboardCall, handler: GenerationHandler, ports: DashboardPorts): Promise<Estimate> {
  const { account, plan } = visitorOf(call);
  const decoded = await readGeneration(call, handler, ports);
  call.exchange.requestedModel = decoded.generation.model;
  try {
    return encodeEstimate(await ports.playground.estimates.estimate({ account, plan, keyModels: null, request: decoded.generation }));
  } catch (failure) {
    throw overflowInWords(failure, handler.format, decoded);
  }
}
