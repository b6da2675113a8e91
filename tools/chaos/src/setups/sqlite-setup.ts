import { join } from 'node:path';
import { viewSqlite } from '../books/database-view.js';
import type { Setup } from './setup.js';

export const SQLITE_SETUP: Setup = {
  name: 'sqlite',
  gateways: 1,
  orphanRule: { from: 'the-next-start', milliseconds: 2000 },
  canBeLeftAlone: true,
  createGround: (folder) => {
    const file = join(folder, 'tollgate.db');
    return Promise.resolve({
      database: { kind: 'sqlite', path: file },
      environment: { DATABASE_URL: `sqlite:${file}` },
      openView: () => viewSqlite(file),
    });
  },
  drawTrouble: () => null,
  suffer: () => Promise.resolve(),
  isTroubled: () => false,
  sharedSlots: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};
