import type { AccountId } from '@tollgate/core';
import type { DatabaseLocation } from '@tollgate/sql-common';
import type { SeededRandom } from '@tollgate/testkit/programs';
import type { DatabaseView } from '../books/database-view.js';
import type { OrphanRule } from '../checks/dead-processes.js';
import type { SlotCount } from '../checks/slots.js';

export const SETUPS = ['sqlite', 'postgres'] as const;
export type SetupName = (typeof SETUPS)[number];

/** A fault of a shared server, and how long it lasts. */
export interface Trouble {
  readonly kind: 'redis-killed' | 'redis-emptied' | 'redis-paused' | 'postgres-crashed' | 'postgres-paused';
  readonly milliseconds: number;
}

/** The database of one world, and what else its gateways share. */
export interface Ground {
  readonly database: DatabaseLocation;
  /** Settings of the gateways that name the shared servers. */
  readonly environment: Readonly<Record<string, string>>;
  openView(): DatabaseView;
}

/** A number of gateways, what they share, and what must hold for them. */
export interface Setup {
  readonly name: SetupName;
  readonly gateways: number;
  readonly orphanRule: OrphanRule;
  /** True if in some rounds no other program opens the database before the successor. */
  readonly canBeLeftAlone: boolean;
  createGround(folder: string): Promise<Ground>;
  /** Draws a fault of the shared servers at random; `null` if there are no such servers. */
  drawTrouble(random: SeededRandom): Trouble | null;
  /** Carries out the fault; resolves when the servers are back. */
  suffer(trouble: Trouble): Promise<void>;
  /** True while the database or Redis is away, and for some time after, when queries may still fail. */
  isTroubled(): boolean;
  /** Number of slots by account over all gateways; empty for a single gateway, whose metrics have the number. */
  sharedSlots(accounts: readonly AccountId[]): Promise<readonly SlotCount[]>;
  close(): Promise<void>;
}
