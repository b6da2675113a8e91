import type { Clock, IdGenerator, Model, RequestId, UpstreamDefinition, UpstreamTarget } from '@tollgate/core';
import { contentFreeCall } from '../http/content-free-call.js';
import { saidByUpstream, secretsOf } from '../reply/said-by-upstream.js';
import { UpstreamRouter } from '../routing/upstream-router.js';
import { asUpstreamFailure, type UpstreamFailureReason } from '../upstream/upstream-failure.js';

export interface TrialFailure {
  readonly reason: UpstreamFailureReason;
  /** One line without secrets, with the upstream's words if there are any. */
  readonly message: string;
}

export function trialFailure(thrown: unknown, definition: UpstreamDefinition): TrialFailure {
  const failure = asUpstreamFailure(thrown);
  const said = saidByUpstream(failure, secretsOf(definition));
  return { reason: failure.reason, message: said === null ? failure.message : `${failure.message}: ${said}` };
}

export interface TriedModel {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

export type ModelTrial =
  | { readonly outcome: 'answered'; readonly milliseconds: number }
  | { readonly outcome: 'failed'; readonly failure: TrialFailure };

export interface TrialPorts {
  readonly clock: Clock;
  readonly ids: Pick<IdGenerator, 'responseId'>;
}

/** Sends the smallest request, with a prompt of one word and a maximum output of one token, and reads the reply to its end. */
export async function tryModel(definition: UpstreamDefinition, { model, target }: TriedModel, ports: TrialPorts): Promise<ModelTrial> {
  const router = new UpstreamRouter([definition], ports);
  const requestId = ports.ids.responseId('trial_') as RequestId;
  const begun = ports.clock.now();
  try {
    const stream = await router.open(contentFreeCall({ model, target }, { requestId, signal: new AbortController().signal }));
    for (let batch = await stream.next(); batch.done !== true;) batch = await stream.next();
    return { outcome: 'answered', milliseconds: ports.clock.now() - begun };
  } catch (thrown) {
    return { outcome: 'failed', failure: trialFailure(thrown, definition) };
  } finally {
    await router.close();
  }
}
