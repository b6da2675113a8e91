import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { KILL_COUNT_VARIABLE, KILL_POINT_VARIABLE, type KillPoint } from '../kill-points/kill-point.js';
import { track } from './running.js';

const DIE_AT_KILL_POINT = fileURLToPath(new URL('../kill-points/die-at-kill-point.js', import.meta.url));
const READY = /Tollgate listening on (http:\/\/127\.0\.0\.1:\d+)/;
const START_MILLISECONDS = 30_000;
const STOP_MILLISECONDS = 10_000;

export interface GatewayPlace {
  /** The compiled gateway's program. */
  readonly program: string;
  readonly folder: string;
  readonly database: string;
  readonly catalogue: string;
  /** Takes what gateways write to standard error: their log. */
  readonly logFile: string;
}

/** Where a gateway kills itself, and at which passing. */
export interface Death {
  readonly point: KillPoint;
  readonly passing: number;
}

/** A real gateway in a process of its own. */
export class GatewayProcess {
  /** Resolves with the signal that ended it, `null` when it ended by itself. */
  readonly ended: Promise<NodeJS.Signals | null>;
  readonly startedAt = performance.now();
  #printed = '';
  #url = '';

  private constructor(private readonly child: ChildProcess) {
    track(child);
    this.ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  }

  /** Starts one without waiting for it. */
  static spawn(place: GatewayPlace, death: Death | null): GatewayProcess {
    const log = openSync(place.logFile, 'a');
    const preload = death === null ? [] : ['--import', DIE_AT_KILL_POINT];
    const child = spawn(process.execPath, [...preload, place.program], {
      cwd: place.folder,
      env: {
        PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', PORT: '0', LOG_LEVEL: 'error',
        DATABASE_URL: `sqlite:${place.database}`, CATALOG_FILE: place.catalogue,
        ...(death === null ? {} : { [KILL_POINT_VARIABLE]: death.point, [KILL_COUNT_VARIABLE]: String(death.passing) }),
      },
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    return new GatewayProcess(child);
  }

  /** Resolves once it serves, with its address; rejects when it ends or takes too long. */
  ready(): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('a gateway did not start in time')), START_MILLISECONDS);
      this.child.stdout?.on('data', (chunk: Buffer) => {
        this.#printed += chunk.toString();
        const url = READY.exec(this.#printed)?.[1];
        if (url === undefined) return;
        clearTimeout(timer);
        this.#url = url;
        resolve(url);
      });
      void this.ended.then(() => {
        clearTimeout(timer);
        reject(new Error('a gateway ended at its start'));
      });
    });
  }

  get url(): string {
    return this.#url;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Asks it to stop, and makes it stop when it does not. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), STOP_MILLISECONDS);
    await this.ended;
    clearTimeout(timer);
  }
}
