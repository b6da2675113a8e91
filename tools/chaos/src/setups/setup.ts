import type { AccountId } from '@tollgate/core';
import type { DatabaseLocation } from '@tollgate/sql-common';
import type { SeededRandom } from '@tollgate/testkit/programs';
import type { DatabaseView } from '../books/database-view.js';
import type { OrphanRule } from '../checks/dead-processes.js';
import type { SlotCount } from '../checks/slots.js';

export const SETUPS = ['sqlite', 'postgres'] as const;
export type SetupName = (typeof SETUPS)[number];

/** What happens to a server that gateways share, and for how long. */
export interface Trouble {
  readonly kind: 'redis-killed' | 'redis-emptied' | 'redis-paused' | 'postgres-crashed' | 'postgres-paused';
  readonly milliseconds: number;
}

/** Where the gateways of one world keep what is theirs. */
export interface Ground {
  readonly database: DatabaseLocation;
  /** Tells a gateway where that is. */
  readonly environment: Readonly<Record<string, string>>;
  openView(): DatabaseView;
}

/** A way to run gateways: how many, on what, and what is promised of it. */
export interface Setup {
  readonly name: SetupName;
  readonly gateways: number;
  readonly orphanRule: OrphanRule;
  /** Whether in some rounds the next gateway is the first to open the database after the kill. */
  readonly canBeLeftAlone: boolean;
  createGround(folder: string): Promise<Ground>;
  /** Something that may happen to the shared servers; `null` where there are none. */
  drawTrouble(random: SeededRandom): Trouble | null;
  /** Resolves when the servers are back. */
  suffer(trouble: Trouble): Promise<void>;
  /** Whether the database or Redis is away, or was a moment ago, so that what is asked of it may fail. */
  isTroubled(): boolean;
  /** Slots that accounts hold in all gateways together; empty where there is one gateway, which knows them itself. */
  sharedSlots(accounts: readonly AccountId[]): Promise<readonly SlotCount[]>;
  close(): Promise<void>;
}
