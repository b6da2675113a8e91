import type { AccountId } from '@tollgate/core';
import type { DatabaseLocation } from '@tollgate/sql-common';
import type { SeededRandom } from '@tollgate/testkit/programs';
import type { DatabaseView } from '../books/database-view.js';
import type { OrphanRule } from '../checks/dead-processes.js';
import type { SlotCount } from '../checks/slots.js';

export const SETUPS = ['sqlite', 'postgres'] as const;
export type SetupName = (typeof SETUPS)[number];

/** A fault of a shared server, and its duration. */
export interface Trouble {
  readonly kind: 'redis-killed' | 'redis-emptied' | 'redis-paused' | 'postgres-crashed' | 'postgres-paused';
  readonly milliseconds: number;
}

/** The storage of one world. */
export interface Ground {
  readonly database: DatabaseLocation;
  /** Settings that name the storage. */
  readonly environment: Readonly<Record<string, string>>;
  openView(): DatabaseView;
}

/** Number of gateways, storage, and guarantees. */
export interface Setup {
  readonly name: SetupName;
  readonly gateways: number;
  readonly orphanRule: OrphanRule;
  /** True if in some rounds the successor is the first to open the database. */
  readonly canBeLeftAlone: boolean;
  createGround(folder: string): Promise<Ground>;
  /** A random fault of the shared servers; `null` if there are none. */
  drawTrouble(random: SeededRandom): Trouble | null;
  /** Resolves when the servers are back. */
  suffer(trouble: Trouble): Promise<void>;
  /** True while the database or Redis is away, or was recently: queries may fail. */
  isTroubled(): boolean;
  /** Slots by account over all gateways; empty for one gateway, whose metrics have them. */
  sharedSlots(accounts: readonly AccountId[]): Promise<readonly SlotCount[]>;
  close(): Promise<void>;
}
