import { resolve } from 'node:path';
import { type DatabaseInspection, type DatabaseLocation, databaseLocationName, IN_MEMORY, type InspectedDatabase, type SeenEntries, type StoreReader } from '@tollgate/sql-common';
import { isLoopbackName, NEEDS_SECRET, openCatalogue, readSecretFile, type RedisLocation, type SecretSettings, seenEntriesFileOf, type Settings } from '@tollgate/adapters-config';
import { InstallationSecret, readSeenHistory } from '@tollgate/adapters-node';
import { assertNever } from '@tollgate/core';
import { FIRST_OPERATOR_COMMAND } from '@tollgate/identity';
import { verifyMailServer } from '@tollgate/adapters-mail';
import { settingsOf, type ProgramContext } from '../program/program-settings.js';
import { failureText, type SurveyedUpstream, type SurveyListener, surveyUpstreams, unlistedModels } from './survey-upstreams.js';
import { testUpstream } from './test-upstream.js';

/** The result of one check. `warning`: the gateway works nevertheless. */
type CheckState = 'ok' | 'warning' | 'problem';

export interface Check {
  readonly name: string;
  readonly state: CheckState;
  /** What was found, and what to do about it. */
  readonly finding: string;
}

export function ok(name: string, finding: string): Check {
  return { name, state: 'ok', finding };
}

export function warning(name: string, finding: string): Check {
  return { name, state: 'warning', finding };
}

export function problem(name: string, finding: string): Check {
  return { name, state: 'problem', finding };
}

const CLOSE_MILLISECONDS = 1_000;
const FAR_MILLISECONDS = 5_000;

export function databaseCheck(place: DatabaseLocation, inspection: DatabaseInspection): Check {
  const name = 'database';
  if (place.kind === 'sqlite' && place.path === IN_MEMORY) return warning(name, 'it is in memory and is lost when the gateway stops. Set DATABASE_URL to keep it.');
  switch (inspection.outcome) {
    case 'missing': return problem(name, `${inspection.message} (DATABASE_URL). The first start of the gateway creates one, and so does \`tollgate database create\`.`);
    case 'unavailable': return problem(name, `${inspection.message}. Check DATABASE_URL, and that the server or the file can be reached.`);
    case 'unusable': return problem(name, `${inspection.message}.`);
    case 'inspected': return schemaCheck(name, databaseLocationName(place), inspection);
  }
}

function schemaCheck(name: string, place: string, { pendingSteps, unknownSteps }: InspectedDatabase): Check {
  if (unknownSteps.length > 0) {
    return problem(name, `${place} was written by a newer version of Tollgate (it has ${unknownSteps.join(', ')}). Use that version, or restore a backup made before it.`);
  }
  if (pendingSteps.length > 0) {
    return warning(name, `${place} has the schema of an older version. Make a backup: the next start of the gateway takes ${pendingSteps.join(', ')}, which cannot be undone.`);
  }
  return ok(name, `${place} has the schema of this version`);
}

/**
 * Compares this machine's clock with the database server's. Gateways date usage records and count minutes, days and months by their own clocks.
 * `null` if the database has no clock.
 */
export function clockCheck(aheadMilliseconds: number | null): Check {
  const name = 'clock';
  if (aheadMilliseconds === null) return ok(name, 'the database has no clock of its own');
  const difference = Math.abs(aheadMilliseconds);
  const finding = `this machine's clock is ${(difference / 1_000).toFixed(1)} s ${aheadMilliseconds > 0 ? 'behind' : 'ahead of'} the database server's`;
  if (difference <= CLOSE_MILLISECONDS) return ok(name, finding);
  const judge = difference <= FAR_MILLISECONDS ? warning : problem;
  return judge(name, `${finding}. Synchronise both, with NTP for instance: gateways date usage records and count the minutes, days and months of limits by their own clocks.`);
}

export function operatorCheck(): Check {
  return warning('operators', `no operator exists yet; \`${FIRST_OPERATOR_COMMAND}\` creates the first one and prints a sign-in link.`);
}

const HISTORY = 'history';

/**
 * Checks that the database still has the newest entries that this machine's gateway has seen. `null` if the gateway has no file to record them in.
 */
export async function historyCheck(settings: Settings, folder: string, openReader: () => Promise<StoreReader>): Promise<Check | null> {
  const named = seenEntriesFileOf(settings);
  if (named === null) return null;
  const file = resolve(folder, named);
  const { seen, setBack } = await readSeenHistory(file);
  const advice = `The missing charges and credits are lost, and keys whose revocation is missing work again: revoke them, book what is missing, then remove ${file}.`;
  if (setBack !== null) return problem(HISTORY, `at ${setBack.at} the gateway found that the database had been set back: it had seen ${entriesText(setBack.seen)} before. ${advice}`);
  if (seen.ledger === null && seen.audit === null) return ok(HISTORY, `no gateway on this machine has recorded the state of the database (${file})`);
  const reader = await openReader();
  try {
    const { newest, lost } = await reader.history.compare(seen);
    if (lost.length === 0) return ok(HISTORY, 'the database has all entries that the gateway on this machine has seen');
    return problem(HISTORY, `the database was set back: the gateway on this machine has seen ${entriesText(seen)}, and the newest are now ${entriesText(newest)}. ${advice}`);
  } finally {
    await reader.close();
  }
}

function entriesText({ ledger, audit }: SeenEntries): string {
  return `ledger entry ${ledger?.number ?? 0} and audit entry ${audit?.number ?? 0}`;
}

const SECRET = 'secret';
const FORGET = 'If it is lost, `tollgate database forget-secret` lets the next start record a new one.';

/** `read`: the fingerprint is `null` if none is recorded. `unread`: the database cannot be read. */
type RecordedFingerprint = { readonly state: 'read'; readonly fingerprint: string | null } | { readonly state: 'unread' };

/** Checks that a secret exists and is the one that the gateways of this database share. */
export function secretCheck({ source, previous }: SecretSettings, recorded: RecordedFingerprint): Check {
  switch (source.kind) {
    case 'none': return warning(SECRET, `SECRET and SECRET_FILE are not set, so ${NEEDS_SECRET} are off. \`openssl rand -hex 32\` prints a secret; give all gateways the same.`);
    case 'passing': return ok(SECRET, 'it lasts as long as the database in memory');
    case 'value': return comparison('SECRET', new InstallationSecret(source.secret, previous), recorded);
    case 'file': return fileCheck(source, previous, recorded);
    default: return assertNever(source);
  }
}

function fileCheck({ path, whenMissing }: SecretSettings['source'] & { kind: 'file' }, previous: Uint8Array | null, recorded: RecordedFingerprint): Check {
  const reading = readSecretFile(path);
  switch (reading.outcome) {
    case 'read': return comparison(`the file ${path}`, new InstallationSecret(reading.secret, previous), recorded);
    case 'unusable': return problem(SECRET, `${reading.problem} (SECRET_FILE).`);
    case 'missing':
      if (recorded.state === 'unread') return warning(SECRET, `there is no file ${path} (SECRET_FILE), and the database cannot be read to tell whether there was one`);
      if (recorded.fingerprint !== null) return problem(SECRET, `there is no file ${path} (SECRET_FILE), and the database belongs to the secret that was in it. Restore the file. ${FORGET}`);
      if (whenMissing === 'refuse') return problem(SECRET, `there is no file ${path} (SECRET_FILE). \`openssl rand -hex 32\` prints a secret; give all gateways the same.`);
      return ok(SECRET, `the first start of the gateway creates the file ${path}`);
    default: return assertNever(reading);
  }
}

function comparison(place: string, secret: InstallationSecret, recorded: RecordedFingerprint): Check {
  if (recorded.state === 'unread') return warning(SECRET, `it is in ${place}; it was not compared with the database, which cannot be read`);
  const { fingerprint } = recorded;
  const { current, previous } = secret.fingerprints();
  if (fingerprint === null) return ok(SECRET, `it is in ${place}; the first start of the gateway records its fingerprint in the database`);
  if (fingerprint === current && previous === null) return ok(SECRET, `it is in ${place}, and the database belongs to it`);
  if (fingerprint === current) return ok(SECRET, `it is in ${place}, and the database belongs to it; remove SECRET_PREVIOUS once all gateways have the new one`);
  if (fingerprint === previous) return warning(SECRET, `the database belongs to SECRET_PREVIOUS; the next start of a gateway rotates it to the one in ${place}`);
  return problem(SECRET, `the database belongs to another secret than the one in ${place}. Give this gateway the secret that the others have. ${FORGET}`);
}

const MAIL = 'mail';

/** Signs in to the mail server, if one is set, without sending a message. */
export async function mailCheck({ mail, mode }: Pick<Settings, 'mail' | 'mode'>): Promise<Check> {
  if (mail.kind === 'folder') {
    const finding = `SMTP_HOST is not set: each message becomes a file in ${mail.folder}`;
    return mode === 'production' ? warning(MAIL, `${finding}, and is not delivered. Set SMTP_HOST and MAIL_FROM.`) : ok(MAIL, finding);
  }
  const place = `${mail.host}:${mail.port}`;
  const failure = await verifyMailServer(mail);
  return failure === null ? ok(MAIL, `${place} accepts messages`) : problem(MAIL, `${place} does not accept messages: ${failure.explanation} (${failure.code}). Check the settings that begin with SMTP_.`);
}

const PROXY = 'proxy';

/**
 * Checks that the gateway trusts its proxy: otherwise it sees the proxy's address as that of every client. The gateway speaks plain HTTP, so a public
 * URL with https or another machine's name implies a proxy.
 */
export function proxyCheck({ dashboard: { publicUrl }, trustedProxies }: Pick<Settings, 'dashboard' | 'trustedProxies'>): Check {
  if (trustedProxies.length > 0) return ok(PROXY, 'TRUST_PROXY names the trusted proxies');
  if (publicUrl === null || isDirect(publicUrl)) return ok(PROXY, 'browsers reach the gateway at this machine, without a proxy');
  return warning(PROXY, `PUBLIC_URL is ${publicUrl} and TRUST_PROXY is off. Behind a proxy all clients then have the proxy's address: they share one limit of sign-in attempts, and the audit log and blocked networks know only the proxy. Set TRUST_PROXY to the addresses of the proxy, such as 127.0.0.1 for one on this machine.`);
}

function isDirect(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'http:' && isLoopbackName(hostname);
}

const REDIS = 'redis';

/** Checks that Redis accepts writes. `null`: the gateway uses no Redis, which is no problem. */
export async function redisCheck(redis: RedisLocation | null): Promise<Check> {
  if (redis === null) return ok(REDIS, 'REDIS_URL is not set: each gateway counts limits by itself');
  // Loads the driver only where Redis is used.
  const { closeRedis, openRedis, redisRefusalOf, writeProbe } = await import('@tollgate/adapters-redis');
  const connection = await openRedis({ url: redis.url, onError: () => undefined });
  try {
    await writeProbe(connection);
    return ok(REDIS, 'it answers');
  } catch (thrown) {
    const refusal = redisRefusalOf(thrown);
    if (refusal !== null) return problem(REDIS, `it refuses to write: ${refusal}. Until it accepts writes, each gateway counts limits by itself.`);
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return problem(REDIS, `it does not answer: ${why}. Check REDIS_URL and that the server runs; until it does, each gateway counts limits by itself.`);
  } finally {
    await closeRedis(connection);
  }
}

export interface UpstreamCheckOptions {
  /** `sent`: each upstream gets a real request, which its provider may charge. */
  readonly requests: 'sent' | 'not-sent';
}

/** Checks the catalogue and, if it is valid, each of its upstreams. */
export async function catalogueAndUpstreamChecks(programContext: ProgramContext, options: UpstreamCheckOptions, progress: SurveyListener): Promise<readonly Check[]> {
  const { settings, environment } = settingsOf(programContext);
  const opening = await openCatalogue(settings, environment, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
  if ('problems' in opening) return opening.problems.map((line) => problem('catalogue', line));
  const surveyed = await surveyUpstreams(programContext, null, progress);
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
