import type { StatementRecords } from '@tollgate/core';

/** For stores without statements: no statement is found or made. */
export const NO_STATEMENTS: StatementRecords = {
  makeSome: () => Promise.resolve({ made: 0, outcome: 'done', failures: [] }), list: () => Promise.resolve({ statements: [], hasMore: false }), find: () => Promise.resolve(null),
  file: () => Promise.resolve(null), keepFile: () => Promise.resolve(null), verifySome: () => Promise.resolve({ accounts: 0, statements: 0, differences: [], last: null }),
  verifyNumbers: () => Promise.resolve([]),
};
