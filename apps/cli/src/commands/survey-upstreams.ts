import { catalogueFromDiscovery, type DiscoveredServer, openCatalogue, type UpstreamDefinition } from '@tollgate/adapters-config';
import { SystemClock } from '@tollgate/adapters-node';
import { type DiscoveredList, discoverModels, type TrialFailure, trialFailure } from '@tollgate/adapters-upstream';
import type { Catalogue, Model, UpstreamTarget } from '@tollgate/core';
import { misuse } from '../program/report.js';
import { settingsOf, type Surroundings } from '../program/operator-session.js';

/** What an upstream answers when it is asked for its models; the built-in one needs no asking. */
type Listing =
  | { readonly outcome: 'built-in' }
  | { readonly outcome: 'listed'; readonly list: DiscoveredList }
  | { readonly outcome: 'failed'; readonly failure: TrialFailure };

/** A model that an upstream serves, and by what name. */
export interface ServedModel {
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

/** Asks the upstreams of the settings for their models, one after the other. `name` is that of one of them, or `null` for all. */
export async function surveyUpstreams(surroundings: Surroundings, name: string | null, progress: SurveyListener): Promise<readonly SurveyedUpstream[]> {
  const { settings, environment } = settingsOf(surroundings);
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

/** The catalogue as a gateway without a catalogue file makes it of the list. */
function discovered(listing: Listing, server: DiscoveredServer): Catalogue {
  return catalogueFromDiscovery(listing.outcome === 'listed' ? listing.list.models : [], server).catalogue;
}

function servedBy({ id }: UpstreamDefinition, { models }: Catalogue): readonly ServedModel[] {
  return models.flatMap((model) => model.targets.filter(({ upstreamId }) => upstreamId === id).map((target) => ({ model, target })));
}

/** What an operator looks at first; reasons that need no more than their message have none. */
const ADVICE: Partial<Record<TrialFailure['reason'], string>> = {
  'connect-failed': 'Check that the server runs, and its address.',
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
