import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { type ModelTrial, tryModel } from '@tollgate/adapters-upstream';
import type { JsonObject } from '@tollgate/core';
import { EXIT_CODES, misuse } from '../../program/command-failure.js';
import type { Surroundings } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { failureText } from './failure-advice.js';
import { type ServedModel, type SurveyedUpstream, type SurveyListener, surveyUpstreams } from './survey-upstreams.js';

export interface TestedUpstreams {
  /** `null` for all. */
  readonly name: string | null;
  /** A model of the catalogue, an alias of one, or its name at the upstream; `null` for the first that each upstream serves. */
  readonly model: string | null;
}

/** What came of the smallest request; `null` where no model to ask is known. */
interface TestedUpstream {
  readonly id: string;
  readonly served: ServedModel | null;
  readonly trial: ModelTrial | { readonly outcome: 'failed'; readonly failure: null };
  /** One line. */
  readonly text: string;
}

/** Sends each upstream one real request, the smallest there is. */
export async function testUpstreams(surroundings: Surroundings, { name, model }: TestedUpstreams, progress: SurveyListener): Promise<Report> {
  const surveyed = await surveyUpstreams(surroundings, name, progress);
  const concerned = model === null ? surveyed : surveyed.filter((upstream) => servedAs(upstream, model) !== null);
  if (concerned.length === 0) throw misuse(`no upstream serves a model ${model}; \`tollgate models list\` shows the models on offer`);
  const tested: TestedUpstream[] = [];
  for (const upstream of concerned) tested.push(await testUpstream(upstream, model, progress));
  return {
    json: { tests: tested.map(encodeTest) },
    lines: tested.map(({ id, text }) => `${id}: ${text}`),
    exitCode: tested.every(({ trial }) => trial.outcome === 'answered') ? EXIT_CODES.done : EXIT_CODES.failed,
  };
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

function servedAs({ served }: SurveyedUpstream, name: string | null): ServedModel | null {
  const found = served.find(({ model, target }) => name === null || model.slug === name || model.aliases.includes(name) || target.upstreamModel === name);
  return found ?? null;
}

function trialText({ model, target: { upstreamModel } }: ServedModel, trial: ModelTrial): string {
  const name = model.slug === upstreamModel ? upstreamModel : `${upstreamModel} (${model.slug})`;
  return trial.outcome === 'answered' ? `${name} answered in ${trial.milliseconds} ms` : `${name} did not answer: ${failureText(trial.failure)}`;
}

function encodeTest({ id, served, trial, text }: TestedUpstream): JsonObject {
  return {
    upstream: id, model: served?.model.slug ?? null, upstream_model: served?.target.upstreamModel ?? null, outcome: trial.outcome,
    milliseconds: trial.outcome === 'answered' ? trial.milliseconds : null,
    reason: trial.outcome === 'failed' ? trial.failure?.reason ?? null : null,
    message: text,
  };
}
