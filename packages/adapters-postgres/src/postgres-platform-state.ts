import { type Change, type ChangeListener, type Clock, MILLISECONDS_PER_SECOND, type PlatformSnapshot, type PlatformState } from '@tollgate/core';
import { platformSnapshot, type Queries, type ScriptRunner } from '@tollgate/sql-common';

/** Interval of reads, in case a notification is lost or a read fails. Gateways promise that changes apply within 5 s, including the read. */
const REFRESH_MILLISECONDS = 4 * MILLISECONDS_PER_SECOND;
const DEAF_REFRESH_MILLISECONDS = MILLISECONDS_PER_SECOND;

export interface PostgresPlatformStateParts {
  readonly queries: Queries;
  readonly runner: ScriptRunner;
  readonly clock: Clock;
}

/**
 * Caches the settings of operators. Reads them again when a change is notified, and every 4 s, or more often while disconnected from notifications.
 */
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

  /**
   * Resolves when `current` includes all changes committed before the call. Also resolves if the read fails: the next successful read then includes
   * them.
   */
  async show(): Promise<void> {
    await Promise.allSettled([this.refresh()]);
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

  private async refresh(): Promise<void> {
    this.begun += 1;
    const number = this.begun;
    const snapshot = await this.parts.runner.read(() => platformSnapshot(this.parts.queries));
    // The read that began later is newer; a slower earlier one is dropped.
    if (number < this.shown) return;
    this.shown = number;
    this.snapshot = snapshot;
  }

  /** Reads in the background. If the read fails, the state is unchanged until the next read. */
  private refreshSoon(): void {
    this.scheduleRefresh();
    void this.show();
  }

  private scheduleRefresh(): void {
    this.cancelRefresh();
    this.cancelRefresh = this.parts.clock.schedule(this.refreshMilliseconds, () => this.refreshSoon());
  }
}
