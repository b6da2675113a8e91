import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { type ModelTrial, tryModel } from '@tollgate/adapters-upstream';
import type { JsonObject } from '@tollgate/core';
import type { Command } from 'commander';
import { EXIT_CODES, misuse, type Report, table } from '../program/report.js';
import type { Surroundings } from '../program/operator-session.js';
import { failureText, type ServedModel, type SurveyedUpstream, type SurveyListener, surveyUpstreams } from './survey-upstreams.js';
import type { CommandRuntime } from '../program/command-runtime.js';

export function addUpstreamCommands(program: Command, runtime: CommandRuntime): void {
  const upstreams = program.command('upstreams').description('the model servers of the catalogue, or of UPSTREAM_BASE_URL');
  upstreams.command('status').description('ask each upstream for its models, and compare them with the catalogue')
    .action(async (_options: unknown, command: Command) => {
      runtime.report(command, await upstreamsStatus(runtime.surroundings, runtime.progressOf(command)));
    });
  upstreams.command('test').description('send an upstream, or each, one real request: one word for one token')
    .argument('[name]', 'an upstream of `tollgate upstreams status`')
    .option('--model <model>', 'a model of the catalogue, or its name there (default: the first one)')
    .action(async (name: string | undefined, { model }: { model?: string }, command: Command) => {
      runtime.report(command, await testUpstreams(runtime.surroundings, { name: name ?? null, model: model ?? null }, runtime.progressOf(command)));
    });
}

interface TestedUpstreams {
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
async function testUpstreams(surroundings: Surroundings, { name, model }: TestedUpstreams, progress: SurveyListener): Promise<Report> {
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

/** Whether each upstream lists its models, and whether those of the catalogue are among them. */
async function upstreamsStatus(surroundings: Surroundings, progress: SurveyListener): Promise<Report> {
  const surveyed = await surveyUpstreams(surroundings, null, progress);
  return {
    json: { upstreams: surveyed.map(encodeUpstream) },
    lines: [
      ...table(['UPSTREAM', 'KIND', 'ADDRESS', 'STATE', 'LISTED', 'SERVED'], surveyed.map((upstream) => [
        upstream.definition.id, upstream.definition.kind, addressOf(upstream), stateOf(upstream), listedIds(upstream)?.length ?? null, upstream.served.length,
      ])),
      ...surveyed.flatMap(remarksOn),
    ],
    exitCode: surveyed.some(({ listing }) => listing.outcome === 'failed') ? EXIT_CODES.failed : EXIT_CODES.done,
  };
}

function encodeUpstream(upstream: SurveyedUpstream): JsonObject {
  const { definition: { id, kind }, listing, served } = upstream;
  return {
    id, kind, base_url: addressOf(upstream), state: stateOf(upstream),
    failure: listing.outcome === 'failed' ? { reason: listing.failure.reason, message: failureText(listing.failure) } : null,
    listed_models: listedIds(upstream), served_models: served.map(({ model }) => model.slug), unlisted_models: unlistedModels(upstream),
  };
}

/** Without a query, which may hold a secret; `null` for the built-in upstream. */
function addressOf({ definition }: SurveyedUpstream): string | null {
  if (definition.kind === 'sandbox') return null;
  const { origin, pathname } = new URL(definition.baseUrl);
  return `${origin}${pathname}`;
}

function stateOf({ listing }: SurveyedUpstream): string {
  return listing.outcome === 'failed' ? listing.failure.reason : 'ok';
}

function listedIds({ listing }: SurveyedUpstream): readonly string[] | null {
  return listing.outcome === 'listed' ? listing.list.models.map(({ id }) => id) : null;
}

/** Names that the catalogue has for models there and the server does not list. Ollama lists its usual tag and takes names without it. */
export function unlistedModels(upstream: SurveyedUpstream): readonly string[] {
  const listed = new Set(listedIds(upstream));
  if (upstream.listing.outcome !== 'listed') return [];
  return upstream.served.map(({ target }) => target.upstreamModel).filter((name) => !listed.has(name) && !listed.has(`${name}:latest`));
}

function remarksOn(upstream: SurveyedUpstream): readonly string[] {
  const { definition: { id }, listing } = upstream;
  if (listing.outcome === 'failed') return ['', `${id}: ${failureText(listing.failure)}`];
  const missing = unlistedModels(upstream);
  return missing.length === 0 ? [] : ['', `${id} does not list ${missing.join(', ')}, which the catalogue names. \`tollgate upstreams test ${id}\` tries.`];
}
