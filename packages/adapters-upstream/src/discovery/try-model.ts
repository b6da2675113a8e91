import type { AccountId, Clock, IdGenerator, Model, RequestId, UpstreamTarget, UpstreamDefinition } from '@tollgate/core';
import { asUpstreamFailure, saidByUpstream, secretsOf, type UpstreamFailureReason } from '../upstream/upstream-failure.js';
import { contentFreeCall } from '../routing/circuit.js';
import { UpstreamRouter } from '../routing/upstream-router.js';

/** Why an upstream did not do what an operator tried, safe to print. */
export interface TrialFailure {
  readonly reason: UpstreamFailureReason;
  /** What happened, with what the upstream said of it: one line without secrets. */
  readonly message: string;
}

export function trialFailure(thrown: unknown, definition: UpstreamDefinition): TrialFailure {
  const failure = asUpstreamFailure(thrown);
  const said = saidByUpstream(failure, secretsOf(definition));
  return { reason: failure.reason, message: said === null ? failure.message : `${failure.message}: ${said}` };
}

/** A model of a catalogue, where it is served. */
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

/** No account's: nothing is billed. */
const NO_ACCOUNT = 'acct_none' as AccountId;

/** Sends an upstream the smallest real request, one word for one token, and reads the reply to its end. */
export async function tryModel(definition: UpstreamDefinition, { model, target }: TriedModel, ports: TrialPorts): Promise<ModelTrial> {
  const router = new UpstreamRouter([definition], ports);
  const requestId = ports.ids.responseId('trial_') as RequestId;
  const begun = ports.clock.now();
  try {
    const stream = await router.open(contentFreeCall({ requestId, accountId: NO_ACCOUNT, model, target }, requestId, new AbortController().signal));
    for (let batch = await stream.next(); batch.done !== true;) batch = await stream.next();
    return { outcome: 'answered', milliseconds: ports.clock.now() - begun };
  } catch (thrown) {
    return { outcome: 'failed', failure: trialFailure(thrown, definition) };
  } finally {
    await router.close();
  }
}
