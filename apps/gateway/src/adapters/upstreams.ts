import { isDeepStrictEqual } from 'node:util';
import { discoverModels, saidByUpstream, UpstreamFailure, type UpstreamFailureReason, UpstreamRouter, type UpstreamSockets } from '@tollgate/adapters-upstream';
import type { Logger } from 'pino';
import type { Catalogue, CatalogueSource, Clock, IdGenerator, ModelProvider, UpstreamDefinition, DiscoveredList } from '@tollgate/core';
import {
  describeProblem, type DiscoveredServer, type Environment, openCatalogue, type OpenedCatalogue, type Settings,
} from '@tollgate/adapters-config';
import { repeat } from '../background/repeat.js';
import { StartRefused } from '../http/server/start-refused.js';
import type { ObservedUpstreams } from '../observability/upstream-metrics.js';
import { UpstreamHealth } from '../observability/upstream-health.js';
import { UpstreamLog } from '../observability/upstream-log.js';

export interface UpstreamPorts extends LiveCataloguePorts {
  readonly ids: IdGenerator;
  readonly sockets: UpstreamSockets;
}

export interface OpenedUpstreams {
  readonly catalogue: CatalogueSource;
  readonly provider: ModelProvider;
  readonly observed: ObservedUpstreams;
  close(): Promise<void>;
}

/** Throws `StartRefused` if the catalogue is invalid. */
export async function openUpstreams(ports: UpstreamPorts): Promise<OpenedUpstreams> {
  const { clock, ids, log, sockets } = ports;
  const catalogue = await LiveCatalogue.open(ports);
  const upstreamLog = new UpstreamLog({ log, clock });
  const health = new UpstreamHealth(clock, upstreamLog);
  const router = new UpstreamRouter(catalogue.upstreams, {
    clock, ids, sockets, report: health,
    onReasoningRefused: (refusal) => log.warn(refusal, 'the upstream refuses this reasoning setting for this model; the gateway leaves the setting out for ten minutes'),
  });
  const stopFollowing = catalogue.follow((upstreams) => router.replace(upstreams));
  return {
    catalogue,
    provider: router,
    observed: { circuits: () => router.circuits(), failures: upstreamLog.failures, probes: upstreamLog.probes, emptyEvents: upstreamLog.emptyEvents, health, definitions: () => catalogue.upstreams },
    close: async () => void await Promise.all([stopFollowing(), router.close()]),
  };
}

interface LiveCataloguePorts {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
}

type UpstreamsListener = (upstreams: readonly UpstreamDefinition[]) => void;

/** Time until the next discovery while no model is known. */
const RETRY_MILLISECONDS = 5000;
/** Time until the next discovery once models are known. */
const REFRESH_MILLISECONDS = 60_000;
/** Maximum wait for the first byte of an upstream's list of models, and for each further one; short, because the start waits for the list. */
const TIMEOUT_MILLISECONDS = 5000;

/** Follows the catalogue file, or rediscovers an upstream's models. */
class LiveCatalogue implements CatalogueSource {
  #opened: OpenedCatalogue;

  private constructor(private readonly ports: LiveCataloguePorts, opened: OpenedCatalogue, private readonly discovery: DiscoveryLog | null) {
    this.#opened = opened;
  }

  /** Throws `StartRefused` for an invalid file. An unavailable upstream does not prevent the start. */
  static async open(ports: LiveCataloguePorts): Promise<LiveCatalogue> {
    const discovery = discoveryLogOf(ports);
    const opening = await openCatalogue(ports.settings, ports.environment, async (server) => {
      try {
        const list = await discover(server, ports.clock);
        discovery?.listed(list.models.length, 0);
        return list;
      } catch (err) {
        discovery?.failed(err, 0);
        return { baseUrl: server.baseUrl, models: [] };
      }
    });
    if ('problems' in opening) throw new StartRefused(opening.problems);
    if (opening.opened.origin === 'upstream') logModels(opening.opened, ports);
    return new LiveCatalogue(ports, opening.opened, discovery);
  }

  current(): Catalogue {
    return this.#opened.source.current();
  }

  get upstreams(): readonly UpstreamDefinition[] {
    return this.#opened.upstreams;
  }

  /** Calls the listener after each change, until the returned function is called. */
  follow(listener: UpstreamsListener): () => Promise<void> {
    const { file, origin } = this.#opened;
    if (file !== null) return this.watchFile(file, listener);
    if (origin === 'upstream') return this.askAgain(listener);
    return () => Promise.resolve();
  }

  private watchFile(file: NonNullable<OpenedCatalogue['file']>, listener: UpstreamsListener): () => Promise<void> {
    const { clock, log, settings } = this.ports;
    if (settings.catalogueReloadMilliseconds === null) return () => Promise.resolve();
    const stop = file.watch(clock, settings.catalogueReloadMilliseconds, (reload) => {
      if (reload.outcome === 'replaced') {
        listener(reload.loaded.upstreams);
        log.info({ models: reload.loaded.catalogue.models.length }, 'the catalogue was reloaded');
        return;
      }
      const problems = reload.problems.map((problem) => describeProblem(file.path, problem));
      log.error({ problems }, 'the changed catalogue has mistakes; the previous one stays in force');
    });
    return () => {
      stop();
      return Promise.resolve();
    };
  }

  private askAgain(listener: UpstreamsListener): () => Promise<void> {
    const { clock, settings, environment } = this.ports;
    return repeat({
      clock,
      intervalMilliseconds: () => (this.current().models.length === 0 ? RETRY_MILLISECONDS : REFRESH_MILLISECONDS),
      task: async () => {
        const opening = await openCatalogue(settings, environment, (server) => discover(server, clock));
        if ('opened' in opening) this.take(opening.opened, listener);
      },
      onFailure: (failure) => this.discovery?.failed(failure, this.current().models.length),
    });
  }

  /** Puts the discovered models on offer. Ignores an empty list, because the server is then not ready yet. */
  private take(opened: OpenedCatalogue, listener: UpstreamsListener): void {
    const { models } = opened.source.current();
    this.discovery?.listed(models.length, this.current().models.length);
    if (models.length === 0 || isDeepStrictEqual(models, this.current().models)) return;
    this.#opened = opened;
    listener(opened.upstreams);
    logModels(opened, this.ports);
  }
}

function logModels({ source, upstreams }: OpenedCatalogue, { settings, log }: LiveCataloguePorts): void {
  const { models } = source.current();
  if (models.length === 0) return;
  const isAsSet = upstreams.some((upstream) => upstream.kind !== 'sandbox' && upstream.baseUrl === settings.upstream?.baseUrl);
  if (!isAsSet) log.info('UPSTREAM_BASE_URL lacks /v1; the upstream lists its models under /v1, so the gateway sends its requests there');
  const reasoningStyle = settings.upstream?.reasoningStyle;
  log.info({ models: models.length, reasoningStyle }, 'the upstream listed its models; they are assumed to support reasoning. Set UPSTREAM_REASONING_STYLE if they do not');
}

function discoveryLogOf({ settings: { upstream }, log }: LiveCataloguePorts): DiscoveryLog | null {
  return upstream === null ? null : new DiscoveryLog(log, upstream);
}

function discover({ kind, baseUrl, apiKey, timeouts }: DiscoveredServer, clock: Clock): Promise<DiscoveredList> {
  const bounded = {
    ...timeouts,
    firstByteMilliseconds: Math.min(timeouts.firstByteMilliseconds, TIMEOUT_MILLISECONDS),
    silenceMilliseconds: Math.min(timeouts.silenceMilliseconds, TIMEOUT_MILLISECONDS),
  };
  return discoverModels({ id: 'discovery', kind, baseUrl, apiKey, options: { timeouts: bounded } }, clock);
}

interface DiscoveryTarget {
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

const ADVICE: Partial<Record<UpstreamFailureReason, string>> = {
  'bad-credentials': ' Check UPSTREAM_API_KEY.',
  'model-unknown': ' Check UPSTREAM_BASE_URL and its path.',
};

/** Base URL without its query, which may contain a secret. */
function addressOf({ baseUrl }: DiscoveryTarget): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`;
}

function problemOf(failure: unknown, { apiKey }: DiscoveryTarget): string {
  if (!(failure instanceof UpstreamFailure)) return failure instanceof Error ? failure.message : String(failure);
  const said = saidByUpstream(failure, apiKey === null ? [] : [apiKey]);
  return `${failure.message}${said === null ? '' : ` (${said})`}.${ADVICE[failure.reason] ?? ''}`;
}

/** Logs a failure once, until its cause changes. */
class DiscoveryLog {
  #problem: string | null = null;

  constructor(private readonly log: Logger, private readonly target: DiscoveryTarget) {}

  /** Logs a failed discovery. Models that are known stay on offer. */
  failed(failure: unknown, knownModels: number): void {
    this.tell(problemOf(failure, this.target), knownModels);
  }

  listed(models: number, knownModels: number): void {
    if (models === 0) this.tell('its list of models is empty.', knownModels);
    else if (this.#problem !== null) this.log.info(`the upstream at ${addressOf(this.target)} lists its models again`);
    if (models > 0) this.#problem = null;
  }

  private tell(problem: string, knownModels: number): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    const meanwhile = knownModels === 0 ? 'No model can be served until it does' : `Its ${knownModels} known models are still served`;
    this.log.warn(`the upstream at ${addressOf(this.target)} does not list its models: ${problem} ${meanwhile}; the gateway retries.`);
  }
}
