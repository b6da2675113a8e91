import type { JsonObject } from '@tollgate/core';
import type { Command } from 'commander';
import { misuse } from '../program/command-failure.js';
import type { CommandRuntime } from '../program/command-runtime.js';
import { EXIT_CODES } from '../program/exit-codes.js';
import type { ProgramContext } from '../program/program-settings.js';
import { type Report, table } from '../program/report.js';
import { failureText, listedIds, type SurveyedUpstream, type SurveyListener, surveyUpstreams, unlistedModels } from './survey-upstreams.js';
import { servedAs, type TestedUpstream, testUpstream } from './test-upstream.js';

export function addUpstreamCommands(program: Command, runtime: CommandRuntime): void {
  const upstreams = program.command('upstreams').description('the model servers of the catalogue, or of UPSTREAM_BASE_URL');
  upstreams.command('status').description('request the models of each upstream, and compare them with the catalogue')
    .action(async (_options: unknown, command: Command) => {
      runtime.report(command, await upstreamsStatus(runtime.programContext, runtime.progressOf(command)));
    });
  upstreams.command('test').description('send an upstream, or each, one real request: one word for one token')
    .argument('[name]', 'an upstream of `tollgate upstreams status`')
    .option('--model <model>', 'a model of the catalogue, or its name there (default: the first one)')
    .action(async (name: string | undefined, { model }: { model?: string }, command: Command) => {
      runtime.report(command, await testUpstreams(runtime.programContext, { name: name ?? null, model: model ?? null }, runtime.progressOf(command)));
    });
}

interface TestedUpstreams {
  /** Id of the upstream; `null` for all. */
  readonly name: string | null;
  /** A model or alias of the catalogue, or a model's name at its upstream; `null` for the first model that each upstream serves. */
  readonly model: string | null;
}

/** Sends each upstream one real request, as small as possible. */
async function testUpstreams(programContext: ProgramContext, { name, model }: TestedUpstreams, progress: SurveyListener): Promise<Report> {
  const surveyed = await surveyUpstreams(programContext, name, progress);
  const concerned = model === null ? surveyed : surveyed.filter((upstream) => servedAs(upstream, model) !== null);
  if (concerned.length === 0) throw misuse(`option '--model <model>': no upstream serves a model ${model}; \`tollgate models list\` shows the models on offer`);
  const tested: TestedUpstream[] = [];
  for (const upstream of concerned) tested.push(await testUpstream(upstream, model, progress));
  return {
    json: { tests: tested.map(encodeTest) },
    lines: tested.map(({ id, text }) => `${id}: ${text}`),
    exitCode: tested.every(({ trial }) => trial.outcome === 'answered') ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

function encodeTest({ id, served, trial, text }: TestedUpstream): JsonObject {
  return {
    upstream: id, model: served?.model.slug ?? null, upstream_model: served?.target.upstreamModel ?? null, outcome: trial.outcome,
    milliseconds: trial.outcome === 'answered' ? trial.milliseconds : null,
    reason: trial.outcome === 'failed' ? trial.failure?.reason ?? null : null,
    message: text,
  };
}

/** Reports for each upstream whether it lists its models, and which models of the catalogue it does not list. */
async function upstreamsStatus(programContext: ProgramContext, progress: SurveyListener): Promise<Report> {
  const surveyed = await surveyUpstreams(programContext, null, progress);
  return {
    json: { upstreams: surveyed.map(encodeUpstream) },
    lines: [
      ...table(['UPSTREAM', 'KIND', 'ADDRESS', 'STATUS', 'LISTED', 'SERVED'], surveyed.map((upstream) => [
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

/** The upstream's URL without the query, which may contain a secret; `null` for the built-in upstream. */
function addressOf({ definition }: SurveyedUpstream): string | null {
  if (definition.kind === 'sandbox') return null;
  const { origin, pathname } = new URL(definition.baseUrl);
  return `${origin}${pathname}`;
}

function stateOf({ listing }: SurveyedUpstream): string {
  return listing.outcome === 'failed' ? listing.failure.reason : 'ok';
}

function remarksOn(upstream: SurveyedUpstream): readonly string[] {
  const { definition: { id }, listing } = upstream;
  if (listing.outcome === 'failed') return ['', `${id}: ${failureText(listing.failure)}`];
  const missing = unlistedModels(upstream);
  return missing.length === 0 ? [] : ['', `${id} does not list ${missing.join(', ')}, which the catalogue names. \`tollgate upstreams test ${id}\` tries.`];
}
