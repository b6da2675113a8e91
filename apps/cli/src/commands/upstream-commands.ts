import { catalogueFromDiscovery, type DiscoveredServer, openCatalogue } from '@tollgate/adapters-config';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { discoverModels, type ModelTrial, type TrialFailure, trialFailure, tryModel } from '@tollgate/adapters-upstream';
import type { Catalogue, JsonObject, Model, UpstreamTarget, UpstreamDefinition, DiscoveredList } from '@tollgate/core';
import type { Command } from 'commander';
import { EXIT_CODES, misuse, type Report, table } from '../program/terminal.js';
import type { CommandRuntime } from '../program/command-runtime.js';
import { type ProgramContext, settingsOf } from '../program/program-settings.js';

/** An upstream's answer to a request for its models; the built-in one is not asked. */
type Listing =
  | { readonly outcome: 'built-in' }
  | { readonly outcome: 'listed'; readonly list: DiscoveredList }
  | { readonly outcome: 'failed'; readonly failure: TrialFailure };

/** A model that an upstream serves, and by what name. */
interface ServedModel {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

export interface SurveyedUpstream {
  /** With the address at which the models were listed. */
  readonly definition: UpstreamDefinition;
  readonly listing: Listing;
  /** In the order of the catalogue. Without a catalogue file, what the upstream lists. */
  readonly served: readonly ServedModel[];
}

export type SurveyListener = (text: string) => void;

/** Requests the models of the configured upstreams one after the other. `name` selects one; `null` all. */
export async function surveyUpstreams(programContext: ProgramContext, name: string | null, progress: SurveyListener): Promise<readonly SurveyedUpstream[]> {
  const { settings, environment } = settingsOf(programContext);
  const opening = await openCatalogue(settings, environment, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
  if ('problems' in opening) throw misuse(opening.problems.join('\n'));
  const { origin, source, upstreams } = opening.opened;
  const chosen = upstreams.filter(({ id }) => name === null || id === name);
  if (chosen.length === 0) throw misuse(`there is no upstream ${name}; there are ${upstreams.map(({ id }) => id).join(', ')}`);
  const server = origin === 'upstream' && settings.upstream !== null ? { ...settings.upstream, timeouts: settings.timeouts } : null;
  const surveyed: SurveyedUpstream[] = [];
  for (const definition of chosen) {
    progress(`Asking ${definition.id} for its models …`);
    const listing = await listingOf(definition);
    surveyed.push({
      definition: listing.outcome === 'listed' && definition.kind !== 'sandbox' ? { ...definition, baseUrl: listing.list.baseUrl } : definition,
      listing,
      served: servedBy(definition, server === null ? source.current() : discovered(listing, server)),
    });
  }
  return surveyed;
}

async function listingOf(definition: UpstreamDefinition): Promise<Listing> {
  if (definition.kind === 'sandbox') return { outcome: 'built-in' };
  try {
    return { outcome: 'listed', list: await discoverModels(definition, new SystemClock()) };
  } catch (thrown) {
    return { outcome: 'failed', failure: trialFailure(thrown, definition) };
  }
}

/** The catalogue that a gateway without a catalogue file derives from the list. */
function discovered(listing: Listing, server: DiscoveredServer): Catalogue {
  return catalogueFromDiscovery(listing.outcome === 'listed' ? listing.list.models : [], server).catalogue;
}

function servedBy({ id }: UpstreamDefinition, { models }: Catalogue): readonly ServedModel[] {
  return models.flatMap((model) => model.targets.filter(({ upstreamId }) => upstreamId === id).map((target) => ({ model, target })));
}

/** Advice by failure reason. Reasons with a sufficient message have none. */
const ADVICE: Partial<Record<TrialFailure['reason'], string>> = {
  'connect-failed': 'Check that the server runs, and its address.',
  'hung-up': 'The server closes the connection without a response: check its log, and whether the address is http or https.',
  'timed-out': 'The server is reachable but does not answer in time: check its load, and the timeouts of the settings.',
  'bad-credentials': 'Check its key.',
  'payment-required': 'Its account with the provider has no credit.',
  'model-unknown': 'Check the path of its address, and the name of the model there.',
  'redirected': 'Redirects are not followed: give the address that it redirects to.',
  'malformed-reply': 'Check the path of its address and its kind.',
};

/** `the upstream answered with status 401: bad key. Check its key.` */
export function failureText({ reason, message }: TrialFailure): string {
  const advice = ADVICE[reason];
  return advice === undefined ? message : `${message}. ${advice}`;
}

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
  /** `null` for all. */
  readonly name: string | null;
  /** A model or alias of the catalogue, or its name at the upstream; `null` for the first that each upstream serves. */
  readonly model: string | null;
}

/** Result of a minimal request; `null` if no model is known. */
interface TestedUpstream {
  readonly id: string;
  readonly served: ServedModel | null;
  readonly trial: ModelTrial | { readonly outcome: 'failed'; readonly failure: null };
  /** One line. */
  readonly text: string;
}

/** Sends each upstream one real request, the smallest there is. */
async function testUpstreams(programContext: ProgramContext, { name, model }: TestedUpstreams, progress: SurveyListener): Promise<Report> {
  const surveyed = await surveyUpstreams(programContext, name, progress);
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

/** Reports whether each upstream lists its models, including those of the catalogue. */
async function upstreamsStatus(programContext: ProgramContext, progress: SurveyListener): Promise<Report> {
  const surveyed = await surveyUpstreams(programContext, null, progress);
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

/** Without the query, which may contain a secret; `null` for the built-in upstream. */
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

/** Models of the catalogue that the server does not list. Ollama lists names with their default tag and also accepts them without it. */
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
