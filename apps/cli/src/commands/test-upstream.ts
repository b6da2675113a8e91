import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { type ModelTrial, tryModel } from '@tollgate/adapters-upstream';
import { failureText, type ServedModel, type SurveyedUpstream, type SurveyListener } from './survey-upstreams.js';

/** Result of a minimal request. `served` is `null` if no model of the upstream is known. */
export interface TestedUpstream {
  readonly id: string;
  readonly served: ServedModel | null;
  readonly trial: ModelTrial | { readonly outcome: 'failed'; readonly failure: null };
  /** The reply or the failure, in one line. */
  readonly text: string;
}

export async function testUpstream(upstream: SurveyedUpstream, model: string | null, progress: SurveyListener): Promise<TestedUpstream> {
  const { definition, definition: { id }, listing } = upstream;
  const served = servedAs(upstream, model);
  if (served === null) {
    const why = listing.outcome === 'failed' ? failureText(listing.failure) : 'the catalogue has no model there';
    return { id, served, trial: { outcome: 'failed', failure: null }, text: `no model to ask is known: ${why}` };
  }
  progress(`Asking ${served.target.upstreamModel} at ${id} for one token …`);
  const trial = await tryModel(definition, served, { clock: new SystemClock(), ids: new RandomIds() });
  return { id, served, trial, text: trialText(served, trial) };
}

export function servedAs({ served }: SurveyedUpstream, name: string | null): ServedModel | null {
  const found = served.find(({ model, target }) => name === null || model.slug === name || model.aliases.includes(name) || target.upstreamModel === name);
  return found ?? null;
}

function trialText({ model, target: { upstreamModel } }: ServedModel, trial: ModelTrial): string {
  const name = model.slug === upstreamModel ? upstreamModel : `${upstreamModel} (${model.slug})`;
  return trial.outcome === 'answered' ? `${name} answered in ${trial.milliseconds} ms` : `${name} did not answer: ${failureText(trial.failure)}`;
}
