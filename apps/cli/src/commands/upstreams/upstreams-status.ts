import type { JsonObject } from '@tollgate/core';
import { EXIT_CODES } from '../../program/command-failure.js';
import type { Surroundings } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { table } from '../../program/table.js';
import { failureText } from './failure-advice.js';
import { type SurveyedUpstream, type SurveyListener, surveyUpstreams } from './survey-upstreams.js';

/** Whether each upstream lists its models, and whether those of the catalogue are among them. */
export async function upstreamsStatus(surroundings: Surroundings, progress: SurveyListener): Promise<Report> {
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
export function addressOf({ definition }: SurveyedUpstream): string | null {
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
