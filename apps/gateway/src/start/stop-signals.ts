import { MILLISECONDS_PER_SECOND } from '@tollgate/core';
import type { Gateway } from '../gateway/gateway.js';
import { services } from '../composition/services.js';

export interface SignalledProcess {
  readonly stdout: { write(text: string): unknown };
  /** Monotonic seconds. */
  uptime(): number;
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
}

const KEEPING_ALIVE_MILLISECONDS = 1000;

const SECOND_SIGNAL_EXIT_CODE = 130;
/** Signals within this interval count as one: terminals and service managers signal the whole process group, and npm forwards its own signal. */
const SAME_REQUEST_SECONDS = 0.5;

/** The first signal stops gracefully, the second at once. Process 1 of a container ignores signals without a listener. */
export class StopSignals {
  readonly #controller = new AbortController();
  #askedAt = 0;
  #startHoldsLease = false;
  #gateway: Gateway | null = null;
  #alive: NodeJS.Timeout | null = null;

  constructor(private readonly process: SignalledProcess) {
    process.on('SIGTERM', () => this.#receive());
    process.on('SIGINT', () => this.#receive());
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on, a signal waits until the start has released its lease. */
  waitForStart(): void {
    this.#startHoldsLease = true;
  }

  /** From now on, a signal closes this gateway; a signal that arrived earlier closes it too. */
  closes(gateway: Gateway): void {
    this.#gateway = gateway;
    if (this.signal.aborted) this.#close(gateway);
  }

  /** Called if the start fails after a signal. A closing gateway ends the process itself. */
  startFailed(): void {
    if (this.#gateway === null) this.#end(0);
  }

  #receive(): void {
    if (this.signal.aborted) {
      if (this.process.uptime() - this.#askedAt >= SAME_REQUEST_SECONDS) this.process.exit(SECOND_SIGNAL_EXIT_CODE);
      return;
    }
    this.#askedAt = this.process.uptime();
    this.#controller.abort();
    // The clock's timers do not keep the process alive, so this one does while the last requests are settled.
    this.#alive = setInterval(() => undefined, KEEPING_ALIVE_MILLISECONDS);
    this.process.stdout.write(this.#gateway === null ? STOPPING : stopNotice(this.#gateway));
    if (this.#gateway !== null) this.#close(this.#gateway);
    else if (!this.#startHoldsLease) this.#end(0);
  }

  #close(gateway: Gateway): void {
    void close(gateway).then((code) => this.#end(code));
  }

  #end(code: number): void {
    if (this.#alive !== null) clearInterval(this.#alive);
    this.process.exit(code);
  }
}

/** Returns the exit code. */
async function close(gateway: Gateway): Promise<number> {
  const { container } = gateway;
  try {
    await gateway.close();
    return 0;
  } catch (err) {
    container.get(services.log).fatal({ err }, 'the shutdown failed');
    return 1;
  } finally {
    await container.get(services.logWriter)?.flush();
  }
}

const STOPPING = 'Stopping.\n';

function stopNotice({ runningRequests, settings }: Gateway): string {
  const { shutdownDelayMilliseconds: delay } = settings;
  if (delay > 0) return `Stopping: serving ${delay / MILLISECONDS_PER_SECOND} s more while /readyz answers 503. A second Ctrl-C (or SIGTERM) ends it at once.\n`;
  if (runningRequests === 0) return STOPPING;
  const requests = runningRequests === 1 ? '1 running request' : `${runningRequests} running requests`;
  const seconds = settings.shutdownGraceMilliseconds / MILLISECONDS_PER_SECOND;
  return `Stopping: waiting up to ${seconds} s for ${requests}. A second Ctrl-C (or SIGTERM) ends them at once.\n`;
}
