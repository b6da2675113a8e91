import { openCatalogue, type Settings } from '@tollgate/adapters-config';
import type { Surroundings } from '../../program/operator-session.js';
import { settingsOf } from '../../program/operator-session.js';
import { failureText } from '../upstreams/failure-advice.js';
import { type SurveyedUpstream, type SurveyListener, surveyUpstreams } from '../upstreams/survey-upstreams.js';
import { testUpstream } from '../upstreams/test-upstreams.js';
import { unlistedModels } from '../upstreams/upstreams-status.js';
import { type Check, ok, problem, warning } from './check.js';

export interface UpstreamCheckOptions {
  /** Whether each upstream is sent a real request too, which its provider may charge. */
  readonly requests: 'sent' | 'not-sent';
}

/** The catalogue, and each of its upstreams where it has no mistake. */
export async function catalogueAndUpstreamChecks(surroundings: Surroundings, options: UpstreamCheckOptions, progress: SurveyListener): Promise<readonly Check[]> {
  const { settings, environment } = settingsOf(surroundings);
  const opening = await openCatalogue(settings, environment, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
  if ('problems' in opening) return opening.problems.map((line) => problem('catalogue', line));
  const surveyed = await surveyUpstreams(surroundings, null, progress);
  const checks: Check[] = [catalogueCheck(settings, surveyed)];
  for (const upstream of surveyed) checks.push(listingCheck(upstream), ...(options.requests === 'sent' ? [await requestCheck(upstream, progress)] : []));
  return checks;
}

function catalogueCheck({ catalogueFile, upstream }: Settings, surveyed: readonly SurveyedUpstream[]): Check {
  const models = new Set(surveyed.flatMap(({ served }) => served.map(({ model }) => model.slug))).size;
  const place = catalogueFile ?? (upstream === null ? 'the built-in one with sandbox models' : 'that of UPSTREAM_BASE_URL');
  return models === 0 ? problem('catalogue', `${place} has no model, so no request can be served.`) : ok('catalogue', `${place}; models: ${models}`);
}

function nameOf({ definition: { id } }: SurveyedUpstream): string {
  return `upstream ${id}`;
}

function listingCheck(upstream: SurveyedUpstream): Check {
  const { listing } = upstream;
  if (listing.outcome === 'failed') return problem(nameOf(upstream), failureText(listing.failure));
  if (listing.outcome === 'built-in') return ok(nameOf(upstream), 'it is built in');
  const unlisted = unlistedModels(upstream);
  if (unlisted.length > 0) return warning(nameOf(upstream), `it does not list ${unlisted.join(', ')}, which the catalogue names. Check the names, or try with \`tollgate upstreams test\`.`);
  return ok(nameOf(upstream), `it lists its models: ${listing.list.models.length}`);
}

async function requestCheck(upstream: SurveyedUpstream, progress: SurveyListener): Promise<Check> {
  const { trial, text } = await testUpstream(upstream, null, progress);
  return trial.outcome === 'answered' ? ok(nameOf(upstream), text) : problem(nameOf(upstream), text);
}
