import { type Catalogue, type CatalogueSource, type Clock } from '@tollgate/core';
import { describeProblem, type DiscoveredServer, type Environment, openCatalogue, type OpenedCatalogue, type Settings } from '@tollgate/adapters-config';
import { type DiscoveredModel, discoverModels, type UpstreamDefinition } from '@tollgate/adapters-upstream';
import type { Logger } from 'pino';
import { every } from '../background/every.js';
import { StartRefused } from './start-refused.js';

/** How soon a server is asked again that did not tell its models. */
const RETRY_MILLISECONDS = 5000;
/** How long a server may take to tell its models: the start waits for it. */
const PATIENCE_MILLISECONDS = 5000;

export interface LiveCataloguePorts {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Told of the upstreams in force whenever they are replaced. */
export type UpstreamsListener = (upstreams: readonly UpstreamDefinition[]) => void;

/** The catalogue in force: follows its file, and asks an upstream for its models until it has told them. */
export class LiveCatalogue implements CatalogueSource {
  #opened: OpenedCatalogue;

  private constructor(private readonly ports: LiveCataloguePorts, opened: OpenedCatalogue) {
    this.#opened = opened;
  }

  /** Throws `StartRefused` when the catalogue file cannot be used. An upstream that is down does not stop the start. */
  static async open(ports: LiveCataloguePorts): Promise<LiveCatalogue> {
    const opening = await openCatalogue(ports.settings, ports.environment, async (server) => {
      try {
        return await discover(server, ports.clock);
      } catch (err) {
        ports.log.warn({ err }, 'the upstream does not tell its models yet; it is asked again until it does');
        return [];
      }
    });
    if ('problems' in opening) throw new StartRefused(opening.problems);
    return new LiveCatalogue(ports, opening.opened);
  }

  current(): Catalogue {
    return this.#opened.source.current();
  }

  get upstreams(): readonly UpstreamDefinition[] {
    return this.#opened.upstreams;
  }

  /** Keeps it up to date from here on. Returns what ends that. */
  follow(listener: UpstreamsListener): () => Promise<void> {
    const { file, origin } = this.#opened;
    if (file !== null) return this.watchFile(file, listener);
    if (origin === 'upstream' && this.current().models.length === 0) return this.askAgain();
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
      log.error({ problems }, 'the changed catalogue cannot be used; the one before stays in force');
    });
    return () => {
      stop();
      return Promise.resolve();
    };
  }

  private askAgain(): () => Promise<void> {
    const { clock, log, settings, environment } = this.ports;
    const stop = every({
      clock,
      intervalMilliseconds: RETRY_MILLISECONDS,
      task: async () => {
        const opening = await openCatalogue(settings, environment, (server) => discover(server, clock));
        if ('problems' in opening) return;
        this.#opened = opening.opened;
        const models = this.current().models.length;
        if (models === 0) return;
        log.info({ models }, 'the upstream has told its models');
        void stop();
      },
      onFailure: (err) => log.debug({ err }, 'the upstream still does not tell its models'),
    });
    return stop;
  }
}

function discover({ baseUrl, apiKey, timeouts }: DiscoveredServer, clock: Clock): Promise<readonly DiscoveredModel[]> {
  const bounded = {
    ...timeouts,
    firstByteMilliseconds: Math.min(timeouts.firstByteMilliseconds, PATIENCE_MILLISECONDS),
    silenceMilliseconds: Math.min(timeouts.silenceMilliseconds, PATIENCE_MILLISECONDS),
  };
  return discoverModels({ id: 'discovery', kind: 'openai', baseUrl, apiKey, options: { timeouts: bounded } }, clock);
}
