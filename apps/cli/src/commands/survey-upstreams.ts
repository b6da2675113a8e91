import { catalogueFromDiscovery, type DiscoveredServer, openCatalogue } from '@tollgate/adapters-config';
import { SystemClock } from '@tollgate/adapters-node';
import { discoverModels, type TrialFailure, trialFailure } from '@tollgate/adapters-upstream';
import type { Catalogue, DiscoveredList, Model, UpstreamDefinition, UpstreamTarget } from '@tollgate/core';
import { misuse } from '../program/command-failure.js';
import { type ProgramContext, settingsOf } from '../program/program-settings.js';

/** An upstream's answer to a request for its models; the built-in upstream is not asked. */
type Listing =
  | { readonly outcome: 'built-in' }
  | { readonly outcome: 'listed'; readonly list: DiscoveredList }
  | { readonly outcome: 'failed'; readonly failure: TrialFailure };

/** A model, and its name at the upstream that serves it. */
export interface ServedModel {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

export interface SurveyedUpstream {
  /** The upstream, with the address at which its models were listed. */
  readonly definition: UpstreamDefinition;
  readonly listing: Listing;
  /** Models in the order of the catalogue; without a catalogue file, those that the upstream lists. */
  readonly served: readonly ServedModel[];
}

export type SurveyListener = (text: string) => void;

/** Asks the configured upstreams for their models, one after the other. `name` selects one upstream; `null` selects all. */
export async function surveyUpstreams(programContext: ProgramContext, name: string | null, progress: SurveyListener): Promise<readonly SurveyedUpstream[]> {
  const { settings, environment } = settingsOf(programContext);
  const opening = await openCatalogue(settings, environment, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
  if ('problems' in opening) throw misuse(opening.problems.join('\n'));
  const { origin, source, upstreams } = opening.opened;
  const chosen = upstreams.filter(({ id }) => name === null || id === name);
  if (chosen.length === 0) throw misuse(`argument [name]: there is no upstream ${name}; there are ${upstreams.map(({ id }) => id).join(', ')}`);
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

/** The catalogue that a gateway without a catalogue file derives from the listed models. */
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

/** For example `the upstream answered with status 401: bad key. Check its key.` */
export function failureText({ reason, message }: TrialFailure): string {
  const advice = ADVICE[reason];
  return advice === undefined ? message : `${message}. ${advice}`;
}

export function listedIds({ listing }: SurveyedUpstream): readonly string[] | null {
  return listing.outcome === 'listed' ? listing.list.models.map(({ id }) => id) : null;
}

/** Models of the catalogue that the server does not list. A name without a tag also counts as listed with `:latest`, Ollama's default tag. */
export function unlistedModels(upstream: SurveyedUpstream): readonly string[] {
  const listed = new Set(listedIds(upstream));
  if (upstream.listing.outcome !== 'listed') return [];
  return upstream.served.map(({ target }) => target.upstreamModel).filter((name) => !listed.has(name) && !listed.has(`${name}:latest`));
}
