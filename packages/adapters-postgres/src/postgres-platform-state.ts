import { type Change, type ChangeListener, type Clock, MILLISECONDS_PER_SECOND, type PlatformSnapshot, type PlatformState } from '@tollgate/core';
import { platformSnapshot, type Queries, type ScriptRunner } from '@tollgate/sql-common';

/** Interval of reads, in case a notification was lost or a read failed. Gateways promise 5 s, including the read. */
const REFRESH_MILLISECONDS = 4 * MILLISECONDS_PER_SECOND;
const DEAF_REFRESH_MILLISECONDS = MILLISECONDS_PER_SECOND;

export interface PostgresPlatformStateParts {
  readonly queries: Queries;
  readonly runner: ScriptRunner;
  readonly clock: Clock;
}

/** Caches operators' settings until they change. */
export class PostgresPlatformState implements PlatformState, ChangeListener {
  private refreshMilliseconds = REFRESH_MILLISECONDS;
  private cancelRefresh: () => void = () => undefined;
  private begun = 0;
  private shown = 0;

  private constructor(private readonly parts: PostgresPlatformStateParts, private snapshot: PlatformSnapshot) {}

  static async open(parts: PostgresPlatformStateParts): Promise<PostgresPlatformState> {
    const state = new PostgresPlatformState(parts, await parts.runner.read(() => platformSnapshot(parts.queries)));
    state.scheduleRefresh();
    return state;
  }

  current(): PlatformSnapshot {
    return this.snapshot;
  }

  /** Resolves once earlier changes are in `current`. */
  async refresh(): Promise<void> {
    this.begun += 1;
    const number = this.begun;
    const snapshot = await this.parts.runner.read(() => platformSnapshot(this.parts.queries));
    // Of two concurrent reads, the later one is newer.
    if (number < this.shown) return;
    this.shown = number;
    this.snapshot = snapshot;
  }

  close(): void {
    this.cancelRefresh();
  }

  changed({ kind }: Change): void {
    if (kind === 'platform') this.refreshSoon();
  }

  disconnected(): void {
    this.refreshMilliseconds = DEAF_REFRESH_MILLISECONDS;
    this.scheduleRefresh();
  }

  missed(): void {
    this.refreshMilliseconds = REFRESH_MILLISECONDS;
    this.refreshSoon();
  }

  /** Reads in the background. If the read fails, the state stays until the next one. */
  private refreshSoon(): void {
    this.scheduleRefresh();
    this.refresh().catch(() => undefined);
  }

  private scheduleRefresh(): void {
    this.cancelRefresh();
    this.cancelRefresh = this.parts.clock.schedule(this.refreshMilliseconds, () => this.refreshSoon());
  }
}
